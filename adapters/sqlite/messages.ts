/** What is written in one step of a transaction: the name of a statement, and its values. */
export type Op =
  | readonly [
      op: "put entry",
      key: string,
      queue: number,
      place: number,
      written: number,
      special: number,
      entry: string,
    ]
  | readonly [op: "delete entry", key: string]
  | readonly [op: "put line", name: string, parkedAt: number]
  | readonly [op: "delete line", name: string]
  | readonly [op: "put value", key: string, value: string, expiresAt: number]
  | readonly [op: "delete value", key: string]
  | readonly [op: "delete expired values", now: number];

/** Entries in the order of their keys, a column an array. What is damaged is null; so is a text that is no JSON. */
export type EntryColumns = {
  readonly keys: readonly string[];
  readonly queues: readonly unknown[];
  readonly places: readonly unknown[];
  readonly written: readonly unknown[];
  readonly special: readonly unknown[];
  readonly texts: readonly (string | null)[];
};

/** What is asked of the thread, and what it answers. A message has several: one costs less than many. */
export type Questions = {
  write: { asked: readonly Op[]; answer: null };
  value: { asked: { key: string; now: number }; answer: string | null };
  /** The page of entries after a key. An empty one is the last. */
  entries: { asked: { after: string }; answer: EntryColumns };
  lines: { asked: null; answer: [name: string, parkedAt: number][] };
  close: { asked: null; answer: null };
};

export type Question = {
  [Name in keyof Questions]: { id: number; question: Name; asked: Questions[Name]["asked"] };
}[keyof Questions];

/** The first is about the opening itself. */
export type Opening = { epoch: string; dropped?: number } | { fault: string };
export type Answer = { id: number; answer: unknown } | { id: number; fault: string };
