import { keyOf, parseKey } from "../../functions/contract/index.ts";
import { type Entry, emptyEntry } from "./entry.ts";
import { QUEUES } from "./line.ts";

const isNumber = (value: unknown) => typeof value === "number";
const isInstant = (value: unknown) => value === null || isNumber(value);
const isObject = (value: unknown) => typeof value === "object" && value !== null;
const isAbsent = (value: unknown) => value === null;

/** What the core reads of every entry. */
const FIELDS: Partial<Record<keyof Entry, (value: unknown) => boolean>> = {
  due: isInstant,
  queue: (value) => QUEUES.some((queue) => queue === value),
  liveSince: isInstant,
  reasons: Array.isArray,
  attempt: isNumber,
  backoffUntil: isInstant,
  earlyFailures: isNumber,
  immediateRequeues: isNumber,
  lastStart: isInstant,
  overBudgetUntil: isInstant,
  refused: (value) => isAbsent(value) || isObject(value),
  lost: isNumber,
  lease: (value) => isAbsent(value) || (isObject(value) && isObject((value as Entry["lease"])?.before)),
  place: isNumber,
  writtenAt: isNumber,
};

/** The entry of a key that a text holds; undefined where the text is damaged. */
export function parseEntry(key: string, text: string): Entry | undefined {
  let entry: Entry;
  try {
    entry = JSON.parse(text) as Entry;
    if (keyOf(entry.ref) !== key) return undefined;
  } catch {
    return undefined;
  }
  for (const [name, fits] of Object.entries(FIELDS)) if (!fits(entry[name as keyof Entry])) return undefined;
  return entry;
}

/** What stands for an entry that is damaged: its key runs now, after all changes, and finds out the rest. */
export function entryInstead(key: string, now: number): Entry {
  const wanted = { due: now, queue: "bulk", reasons: ["bulk"] } as const;
  return { ...emptyEntry(parseKey(key)), ...wanted, place: now, writtenAt: now };
}
