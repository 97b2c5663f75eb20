import { expect, test } from "vitest";
import type { ObjectStorage } from "../../adapters/cloudflare-platform.ts";
import type { Entry } from "../../adapters/scheduler/entry.ts";
import { openObjectStore } from "../../adapters/scheduler/object-store.ts";
import { type Changes, type Decided, State } from "../../adapters/scheduler/state.ts";
import type { Store } from "../../adapters/scheduler/store.ts";
import { type CoreUnderTest, core } from "../scheduler/model/core-under-test.ts";
import { checkAgainstModel } from "../scheduler/model/run.ts";
import { withinObject } from "./within-object.ts";

const SEQUENCES = 400;

/** The real core, whose state is kept in an object's rows as well, and comes from them alone after a reload. */
function coreOver(storage: ObjectStorage, seen: { waves: number; reloads: number; reloadsInWaves: number }) {
  const count = (table: string) => Number([...storage.sql.exec(`SELECT count(*) FROM ${table}`).raw()][0]![0]);
  class StoredState extends State {
    #store: Store | undefined;
    #loading = false;

    override load(rows: ReadonlyMap<string, Entry>, leaseEnds: (entry: Entry) => number): void {
      this.#store = openObjectStore(storage);
      const stored = new Map(this.#store.load());
      expect(new Map([...stored].sort())).toEqual(new Map([...rows].sort()));
      seen.reloads++;
      if (count("wave") > 0) seen.reloadsInWaves++;
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
        for (const table of ["entry", "wave", "meta"]) storage.sql.exec(`DROP TABLE IF EXISTS ${table}`);
        this.#store = openObjectStore(storage);
        expect([...this.#store.load()]).toEqual([]);
      }
      const waves = count("wave");
      this.#store.commit(changes);
      seen.waves += Math.max(0, count("wave") - waves);
    }
  }
  return { ...core, State: StoredState } satisfies CoreUnderTest;
}

test("S14 what the model asks for holds when every state comes out of an object's rows", { timeout: 120_000 }, () =>
  withinObject(async (storage) => {
    const seen = { waves: 0, reloads: 0, reloadsInWaves: 0 };
    const { sequences } = checkAgainstModel(coreOver(storage, seen), { sequences: SEQUENCES });
    console.log(`${sequences} sequences:`, JSON.stringify(seen));
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(10);
  }),
);
