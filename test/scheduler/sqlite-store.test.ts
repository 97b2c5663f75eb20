import { expect, test } from "vitest";
import { type Entry, emptyEntry } from "../../adapters/scheduler/entry.ts";
import { SqliteStore } from "../../adapters/scheduler/sqlite-store.ts";
import type { EntryColumns, Op } from "../../adapters/sqlite/messages.ts";
import type { SqliteFile } from "../../adapters/sqlite/sqlite-file.ts";
import { keyOf } from "../../functions/contract/index.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { refOf } from "../support/shard.ts";

const NOW = 5_000;
const keyOfName = (name: string) => keyOf(refOf(name));
const entryOf = (name: string, fields: Partial<Entry> = {}): Entry => ({
  ...emptyEntry(refOf(name)),
  due: 1,
  ...fields,
});
const parked = new Map<string, number | null>();

type Row = [key: string, queue: unknown, place: unknown, written: unknown, special: unknown, text: string | null];

function columnsOf(rows: readonly Row[]): EntryColumns {
  const column = <N extends keyof Row & number>(index: N) => rows.map((row) => row[index as 0]);
  return {
    keys: column(0),
    queues: column(1),
    places: column(2),
    written: column(3),
    special: column(4),
    texts: column(5),
  };
}

/** A store over a file whose writes a test ends. */
async function storeOver(rows: readonly Row[] = []) {
  const writes: { ops: readonly Op[]; resolve: () => void; reject: (error: Error) => void }[] = [];
  const file: SqliteFile = {
    path: "sluice.db",
    epoch: "epoch",
    write: (ops) => new Promise((resolve, reject) => writes.push({ ops, resolve, reject })),
    value: async () => undefined,
    async *entries() {
      yield columnsOf(rows);
    },
    lines: async () => new Map([["home/documents", 7]]),
    close: async () => {},
  };
  const logger = recordingLogger();
  const store = await SqliteStore.open(file, { logger, now: () => NOW });
  const commit = (...entries: [string, Entry | null][]) =>
    store.commit({ entries: new Map(entries.map(([name, entry]) => [keyOfName(name), entry])), parked });
  /** The keys that the nth write puts or deletes. */
  const keysOf = (nth: number) => writes[nth]!.ops.map((op) => op[1]);
  return { store, writes, logger, commit, keysOf };
}

const rowOf = (name: string, fields: Partial<Entry> = {}, special = 0): Row => {
  const entry = entryOf(name, fields);
  return [keyOfName(name), 2, entry.place, entry.writtenAt, special, JSON.stringify(entry)];
};

test("S3 what was committed is read at once, and durable when the write is", async () => {
  const { store, writes, commit } = await storeOver();
  let isDurable = false;
  const committed = commit(["a", entryOf("a")]).then(() => {
    isDurable = true;
  });
  expect(store.read(keyOfName("a"))).toEqual(entryOf("a"));
  await Promise.resolve();
  expect(isDurable).toBe(false);
  writes[0]!.resolve();
  await committed;
  await commit();
  expect(writes).toHaveLength(1);
});

test("S3 what is committed while a write is under way is one write after it, and not durable before it", async () => {
  const { writes, commit, keysOf } = await storeOver();
  const first = commit(["a", entryOf("a")]);
  const others = [commit(["b", entryOf("b")]), commit(["c", entryOf("c")], ["a", null]), commit()];
  expect(writes).toHaveLength(1);
  writes[0]!.resolve();
  await first;
  expect(keysOf(1)).toEqual(["b", "c", "a"].map(keyOfName));
  writes[1]!.resolve();
  await Promise.all(others);
  expect(writes).toHaveLength(2);
});

test("S3 what could not be written is kept, and goes with the next commit, even an empty one", async () => {
  const { store, writes, commit } = await storeOver();
  const failed = commit(["a", entryOf("a")], ["b", entryOf("b")]);
  const after = commit(["b", entryOf("b", { due: 2 })]);
  writes[0]!.reject(new Error("disk full"));
  await expect(failed).rejects.toThrow("disk full");
  expect(store.read(keyOfName("a"))).toEqual(entryOf("a"));
  expect(writes[1]!.ops.map((op) => JSON.parse(op.at(-1) as string).due)).toEqual([1, 2]);
  writes[1]!.reject(new Error("disk still full"));
  await expect(after).rejects.toThrow("disk still full");
  const empty = commit();
  expect(writes[2]!.ops).toEqual(writes[1]!.ops);
  writes[2]!.resolve();
  await empty;
});

test("S14 entries that only wait are not parsed at load; those with a lease, a refusal or a loss are", async () => {
  const refused = { at: 1, pause: null };
  const { store } = await storeOver([rowOf("waits"), rowOf("refused", { refused }, 1), rowOf("lost", { lost: 1 }, 1)]);
  expect([...store.load()]).toEqual([
    { key: keyOfName("waits"), queue: "bulk", place: 0, writtenAt: 0 },
    { key: keyOfName("refused"), queue: "bulk", place: 0, writtenAt: 0, entry: entryOf("refused", { refused }) },
    { key: keyOfName("lost"), queue: "bulk", place: 0, writtenAt: 0, entry: entryOf("lost", { lost: 1 }) },
  ]);
  expect(store.parked()).toEqual(new Map([["home/documents", 7]]));
  expect(store.read(keyOfName("waits"))).toEqual(entryOf("waits"));
});

test("S17 since when a line is parked is written, and deleted", async () => {
  const { store, writes } = await storeOver();
  void store.commit({
    entries: new Map(),
    parked: new Map([
      ["home/a", 5],
      ["home/b", null],
    ]),
  });
  expect(writes[0]!.ops).toEqual([
    ["put line", "home/a", 5],
    ["delete line", "home/b"],
  ]);
});

const instead = (name: string) =>
  entryOf(name, { due: NOW, queue: "bulk", reasons: ["bulk"], place: NOW, writtenAt: NOW });

test.each<[string, Row]>([
  ["no JSON, which the thread has found", [keyOfName("a"), 0, 1, 1, 0, null]],
  ["of no queue", rowOf("a").with(1, 3) as Row],
  ["without a place", rowOf("a").with(2, null) as Row],
  ["with a text for an instant", rowOf("a").with(3, "1") as Row],
  ["special, and its text is no entry", [keyOfName("a"), 0, 1, 1, 1, "{}"]],
])("S14 an entry that is %s is logged by its key, and due now after all changes", async (_, row) => {
  const { store, logger, commit, writes } = await storeOver([row, rowOf("b")]);
  const [first, second] = [...store.load()];
  expect(first).toEqual({ key: keyOfName("a"), queue: "bulk", place: NOW, writtenAt: NOW, entry: instead("a") });
  expect(second).toMatchObject({ key: keyOfName("b") });
  expect(logger.lines).toMatchObject([{ level: "error", fields: { key: keyOfName("a"), file: "sluice.db" } }]);
  void commit();
  expect(writes[0]!.ops).toMatchObject([["put entry", keyOfName("a"), 2, NOW, NOW, 0, JSON.stringify(instead("a"))]]);
});

test.each<[string, string]>([
  ["is another key's", JSON.stringify(entryOf("b"))],
  ["lacks a field", JSON.stringify({ ...entryOf("a"), due: undefined })],
  ["has a field of another kind", JSON.stringify({ ...entryOf("a"), reasons: "bulk" })],
])("S14 an entry whose text %s is found when it is read, logged once, and due now", async (_, text) => {
  const { store, logger } = await storeOver([rowOf("a").with(5, text) as Row]);
  expect([...store.load()]).toHaveLength(1);
  expect(logger.lines).toEqual([]);
  expect(store.read(keyOfName("a"))).toEqual(instead("a"));
  expect(store.read(keyOfName("a"))).toEqual(instead("a"));
  expect(logger.lines).toMatchObject([{ level: "error", fields: { key: keyOfName("a") } }]);
});
