import fc from "fast-check";
import { expect, test } from "vitest";
import type { ObjectStorage } from "../../adapters/cloudflare-platform.ts";
import { type Entry, emptyEntry } from "../../adapters/scheduler/entry.ts";
import { ObjectStore } from "../../adapters/scheduler/object-store.ts";
import { openTables } from "../../adapters/scheduler/object-tables.ts";
import { keyOf } from "../../functions/contract/index.ts";
import { refOf } from "../support/shard.ts";
import { withinObject } from "./within-object.ts";

const NAMES = ["a", "b", "c", "d", "e", "f"] as const;

/** An entry that can be told from every other one. */
function entryOf(name: string, due: number, running: boolean): Entry {
  const empty = emptyEntry(refOf(name));
  const lease = {
    id: `${due}`,
    until: due,
    counts: true,
    attempt: 0,
    queue: "live",
    before: empty,
    refused: false,
  } as const;
  return { ...empty, due, lease: running ? lease : null };
}

const change = fc.record({
  name: fc.constantFrom(...NAMES),
  state: fc.oneof(
    { weight: 3, arbitrary: fc.constant("running" as const) },
    fc.constantFrom("waiting" as const, "gone" as const),
  ),
});
const commit = fc.record({
  changes: fc.uniqueArray(change, { selector: ({ name }) => name, minLength: 1, maxLength: NAMES.length }),
  fails: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
  reopen: fc.boolean(),
});

const rows = (storage: ObjectStorage, query: string) => [...storage.sql.exec(query).raw()];
function empty(storage: ObjectStorage): void {
  for (const table of ["entry", "wave", "line", "meta"]) storage.sql.exec(`DROP TABLE IF EXISTS ${table}`);
}

const openStore = (storage: ObjectStorage) => new ObjectStore(storage, openTables(storage, "home")!);
const commitOf = (entries: [string, Entry | null][]) => ({ entries: new Map(entries), parked: new Map() });

/** What is loaded, with the texts that a load leaves alone. */
function contentOf(store: ObjectStore): Map<string, Entry> {
  const rows = [...store.load()];
  return new Map(rows.map(({ key, entry }): [string, Entry] => [key, entry ?? store.read(key)!]));
}

/** A storage whose transactions fail after their work while told so. */
function failing(storage: ObjectStorage, fails: () => boolean): ObjectStorage {
  return {
    sql: storage.sql,
    sync: () => storage.sync(),
    deleteAll: () => storage.deleteAll(),
    deleteAlarm: () => storage.deleteAlarm(),
    getAlarm: () => storage.getAlarm(),
    setAlarm: (at) => storage.setAlarm(at),
    transactionSync: (work) =>
      storage.transactionSync(() => {
        const result = work();
        if (fails()) throw new Error("disk full");
        return result;
      }),
  };
}

test("S3, S14 what was committed is what is loaded, whatever waves it went through, and no wave outlives its keys", () =>
  withinObject(async (storage) => {
    let fail = false;
    let waves = 0;
    const unreliable = failing(storage, () => fail);
    const property = fc.property(fc.array(commit, { maxLength: 12 }), (commits) => {
      empty(storage);
      fail = false;
      let store = openStore(unreliable);
      contentOf(store);
      const expected = new Map<string, Entry>();
      for (const [at, { changes, fails, reopen }] of commits.entries()) {
        const entries = changes.map(({ name, state }): [string, Entry | null] => [
          keyOf(refOf(name)),
          state === "gone" ? null : entryOf(name, at, state === "running"),
        ]);
        fail = fails;
        if (fails) expect(() => store.commit(commitOf(entries))).toThrow("disk full");
        else {
          void store.commit(commitOf(entries));
          for (const [key, entry] of entries) entry ? expected.set(key, entry) : expected.delete(key);
        }
        fail = false;
        const fresh = openStore(unreliable);
        expect(contentOf(fresh)).toEqual(expected);
        for (const [key, entry] of expected) expect(store.read(key)).toEqual(entry);
        if (reopen) store = fresh;
        const held = rows(storage, "SELECT entries FROM wave");
        waves += held.length;
        const running = [...expected.values()].filter(({ lease }) => lease).length;
        expect(held.length).toBeLessThanOrEqual(running);
      }
    });
    fc.assert(property, { numRuns: 300 });
    expect(waves).toBeGreaterThan(300);
  }));

test("a store of a later schema version is refused, and left as it is", () =>
  withinObject(async (storage) => {
    openTables(storage, "home");
    storage.sql.exec("UPDATE meta SET value = '99' WHERE name = 'schema'");
    expect(() => openTables(storage, "home")).toThrow("schema version 99; this release knows 2 and older");
    expect(rows(storage, "SELECT value FROM meta WHERE name = 'schema'")).toEqual([["99"]]);
  }));

test("S14 the epoch is made with the store, and stays", () =>
  withinObject(async (storage) => {
    expect(openTables(storage)).toBeUndefined();
    const tables = openTables(storage, "home")!;
    expect(tables.epoch).toMatch(/^[0-9a-f-]{36}$/);
    expect(openTables(storage)).toEqual(tables);
  }));
