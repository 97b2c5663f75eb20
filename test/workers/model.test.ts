import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { ObjectStorage } from "../../adapters/cloudflare-platform.ts";
import type { Entry } from "../../adapters/scheduler/entry.ts";
import { openObjectStore } from "../../adapters/scheduler/object-store.ts";
import { type Changes, type Decided, State } from "../../adapters/scheduler/state.ts";
import type { Store } from "../../adapters/scheduler/store.ts";
import { type CoreUnderTest, core } from "../scheduler/model/core-under-test.ts";
import { checkAgainstModel } from "../scheduler/model/run.ts";
import { withinObject } from "./within-object.ts";

/** The real core, whose state is kept in an object's rows as well, and comes from them alone after a reload. */
function coreOver(storage: ObjectStorage, seen: { waves: number; reloads: number; reloadsInWaves: number }) {
  const watched: ObjectStorage = {
    sql: watchedSql(storage.sql, () => seen.waves++),
    transactionSync: (work) => storage.transactionSync(work),
    getAlarm: () => storage.getAlarm(),
    setAlarm: (at) => storage.setAlarm(at),
  };
  class StoredState extends State {
    #store: Store | undefined;
    #loading = false;

    override load(rows: ReadonlyMap<string, Entry>, leaseEnds: (entry: Entry) => number): void {
      this.#store = openObjectStore(watched);
      const stored = new Map(this.#store.load());
      expect(new Map([...stored].sort())).toEqual(new Map([...rows].sort()));
      seen.reloads++;
      if ([...storage.sql.exec("SELECT 1 FROM wave").raw()].length > 0) seen.reloadsInWaves++;
      this.#loading = true;
      super.load(stored, leaseEnds);
      this.#loading = false;
    }

    override apply(decided: Decided, leaseEnds: (entry: Entry) => number): void {
      if (!this.#loading && decided.changes.size > 0) this.#commit(decided.changes);
      super.apply(decided, leaseEnds);
    }

    #commit(changes: Changes): void {
      if (!this.#store) {
        this.#store = openObjectStore(watched);
        // Emptied, not made anew: a changed schema has every statement compiled again.
        for (const table of ["entry", "wave"]) storage.sql.exec(`DELETE FROM ${table}`);
        expect([...this.#store.load()]).toEqual([]);
      }
      this.#store.commit(changes);
    }
  }
  return { ...core, State: StoredState } satisfies CoreUnderTest;
}

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
      const seen = { waves: 0, reloads: 0, reloadsInWaves: 0 };
      const { sequences } = checkAgainstModel(coreOver(storage, seen), { sequences: env.MODEL_SEQUENCES });
      console.log(`${sequences} sequences:`, JSON.stringify(seen));
      expect(Math.min(...Object.values(seen))).toBeGreaterThan(10);
    }),
);
