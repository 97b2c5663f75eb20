import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { ObjectStorage } from "../../adapters/cloudflare-platform.ts";
import type { Entry } from "../../adapters/scheduler/entry.ts";
import { ObjectStore } from "../../adapters/scheduler/object-store.ts";
import { openTables } from "../../adapters/scheduler/object-tables.ts";
import { type Decided, type Declared, type Limits, type Row, State } from "../../adapters/scheduler/state.ts";
import type { Store } from "../../adapters/scheduler/store.ts";
import { type CoreUnderTest, core } from "../scheduler/model/core-under-test.ts";
import { checkAgainstModel } from "../scheduler/model/run.ts";
import { withinObject } from "./within-object.ts";

type Counts = { waves: number; reloads: number; reloadsInWaves: number; reads: number };

/** The real core, whose keys are in an object's rows as well: what waits is read from there, and all of it after a reload. */
function coreOver(storage: ObjectStorage, seen: Counts) {
  const watched: ObjectStorage = {
    sql: watchedSql(storage.sql, () => seen.waves++),
    transactionSync: (work) => storage.transactionSync(work),
    getAlarm: () => storage.getAlarm(),
    setAlarm: (at) => storage.setAlarm(at),
    deleteAll: () => storage.deleteAll(),
    deleteAlarm: () => storage.deleteAlarm(),
    sync: () => Promise.resolve(), // it is not what the rows depend on, and takes its time
  };
  const open = () => new ObjectStore(watched, openTables(watched, "home")!);
  let store: Store = open();
  class StoredState extends State {
    #isOpen = false;

    constructor(declared: Declared, limits: Limits) {
      super(declared, limits, (key) => {
        seen.reads++;
        return store.read(key);
      });
    }

    override load(rows: Iterable<Row>, parked: ReadonlyMap<string, number>, leaseEnds: (entry: Entry) => number): void {
      store = open();
      this.#isOpen = true;
      const stored = new Map([...store.load()].map((row) => [row.key, row]));
      const given = [...rows].map((row) => [row.key, row] as const);
      expect(sorted(stored.keys())).toEqual(sorted(given.map(([key]) => key)));
      for (const [key, { entry, ...place }] of given) {
        if (entry) expect(JSON.stringify(store.read(key))).toBe(JSON.stringify(entry));
        if (!stored.get(key)!.entry) expect(stored.get(key)).toEqual(place);
      }
      expect(store.parked()).toEqual(parked);
      seen.reloads++;
      if ([...storage.sql.exec("SELECT 1 FROM wave").raw()].length > 0) seen.reloadsInWaves++;
      super.load(stored.values(), parked, leaseEnds);
    }

    override apply(decided: Decided, leaseEnds: (entry: Entry) => number): void {
      if (!this.#isOpen) {
        // Emptied, not made anew: a changed schema has every statement compiled again.
        for (const table of ["entry", "wave", "line"]) storage.sql.exec(`DELETE FROM ${table}`);
        store = open();
        this.#isOpen = true;
      }
      void store.commit(decided);
      super.apply(decided, leaseEnds);
    }
  }
  return { ...core, State: StoredState } satisfies CoreUnderTest;
}

const sorted = (keys: Iterable<string>) => [...keys].sort();

/** Tells of each row of a wave. */
function watchedSql(sql: ObjectStorage["sql"], onWave: () => void): ObjectStorage["sql"] {
  return {
    exec(query, ...bindings) {
      if (query.startsWith("INSERT INTO wave")) onWave();
      return sql.exec(query, ...bindings);
    },
  };
}

test(
  "S14 what the model asks for holds when every state comes out of an object's rows",
  { timeout: 60_000 + 50 * env.MODEL_SEQUENCES },
  () =>
    withinObject(async (storage) => {
      const seen = { waves: 0, reloads: 0, reloadsInWaves: 0, reads: 0 };
      const { sequences } = checkAgainstModel(coreOver(storage, seen), { sequences: env.MODEL_SEQUENCES });
      console.log(`${sequences} sequences:`, JSON.stringify(seen));
      expect(Math.min(...Object.values(seen))).toBeGreaterThan(10);
    }),
);
