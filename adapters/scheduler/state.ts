import type { Lane, SchedulingOptions } from "../../functions/contract/index.ts";
import { PARKED_FOR_MS } from "./draft.ts";
import { DueQueue } from "./due-queue.ts";
import { type Entry, entryOfRow } from "./entry.ts";
import { LANES } from "./lanes.ts";
import { FREE, type Pace, pauseOfRows } from "./pause.ts";
import { type Recent, RecentStarts } from "./recent-starts.ts";
import { placeOf } from "./start.ts";

/** What a step changes: an entry as it is from now on, or null where nothing is left of it. */
export type Changes = ReadonlyMap<string, Entry | null>;

/** What a step has decided of entries, which are rows, and of controllers, which the rows tell of where it matters. */
export type Decided = { readonly changes: Changes; readonly paces: ReadonlyMap<string, Pace> };

/** What is held of one controller. */
class Controller {
  /** Waiting keys by lane, in their order (S11). */
  readonly live = new DueQueue();
  readonly resync = new DueQueue();
  /** Those of them whose last run was refused, by when (S8). */
  readonly refused = new DueQueue();
  /** When the lease of each running key ends, on the monotonic clock (S18). */
  readonly running = new DueQueue();
  pace: Pace = FREE;
}

/**
 * A shard's memory: its entries, and indexes over them that can be rebuilt from them at any time (S14). Steps read it;
 * only {@link State.apply} writes, after the store has committed.
 */
export class State {
  readonly entries = new Map<string, Entry>();
  readonly controllers: ReadonlyMap<string, SchedulingOptions>;
  /** Entries that do not say yet whether they are parked (S17): some only after a load, and until the next step. */
  readonly misplaced = new Set<string>();
  /** When each parked entry is deleted (S17). */
  readonly parked = new DueQueue();
  /** Keys that only a lease holds: their run was refused, and no answer will come (S8). */
  readonly fenced = new Set<string>();
  readonly #byController = new Map<string, Controller>();
  readonly #recent = new RecentStarts();

  constructor(controllers: ReadonlyMap<string, SchedulingOptions>) {
    this.controllers = controllers;
  }

  line(controller: string, lane: Lane): DueQueue {
    return this.#of(controller)[lane];
  }

  refused(controller: string): DueQueue {
    return this.#of(controller).refused;
  }

  running(controller: string): number {
    return this.#of(controller).running.size;
  }

  pace(controller: string): Pace {
    return this.#byController.get(controller)?.pace ?? FREE;
  }

  /** Every queue of leases, for finding those that ended. */
  *leases(): Iterable<DueQueue> {
    for (const { running } of this.#byController.values()) yield running;
  }

  recent(key: string, now: number): Recent | undefined {
    return this.#recent.of(key, now);
  }

  /** Takes over rows that were stored, in whatever order. */
  load(rows: ReadonlyMap<string, Entry>, leaseEnds: (entry: Entry) => number): void {
    const inOrder = [...rows].sort(([, a], [, b]) => (a.lastStart ?? 0) - (b.lastStart ?? 0));
    const changes = new Map(inOrder.map(([key, row]): [string, Entry] => [key, entryOfRow(row)]));
    this.apply({ changes, paces: new Map() }, leaseEnds); // starts are counted in the order of time
    for (const { ref, refused } of changes.values()) {
      if (!refused?.pause) continue;
      const own = this.#of(ref.controller);
      own.pace = { ...own.pace, pause: pauseOfRows(own.pace.pause, refused.pause) };
    }
  }

  /** Takes over what a step decided. `leaseEnds` gives the end of a running key's lease on the monotonic clock. */
  apply({ changes, paces }: Decided, leaseEnds: (entry: Entry) => number): void {
    for (const [controller, pace] of paces) this.#of(controller).pace = pace;
    for (const [key, entry] of changes) {
      const before = this.entries.get(key);
      const { controller } = (entry ?? before)?.ref ?? { controller: "" };
      if (entry) this.entries.set(key, entry);
      else this.entries.delete(key);
      this.#index(key, controller, entry);
      if (entry?.lease && entry.lease.id !== before?.lease?.id) {
        this.#of(controller).running.set(key, leaseEnds(entry));
        if (!entry.lease.refused) this.#recent.add(key, entry);
      } else if (!entry?.lease) this.#of(controller).running.delete(key);
      if (before && entry?.refused?.pause && entry.refused !== before.refused) this.#recent.takeBack(key);
    }
  }

  #of(controller: string): Controller {
    let own = this.#byController.get(controller);
    if (!own) {
      own = new Controller();
      this.#byController.set(controller, own);
    }
    return own;
  }

  #index(key: string, controller: string, entry: Entry | null): void {
    const own = this.#of(controller);
    const options = this.controllers.get(controller);
    const waits = entry !== null && entry.due !== null && !entry.lease;
    for (const lane of LANES) {
      if (options && waits && entry.lane === lane) own[lane].set(key, placeOf(entry, options));
      else own[lane].delete(key);
    }
    if (options && waits && entry.refused) own.refused.set(key, entry.refused.at);
    else own.refused.delete(key);
    if (!options && waits && entry.parkedAt !== null) this.parked.set(key, entry.parkedAt + PARKED_FOR_MS);
    else this.parked.delete(key);
    if (entry && (entry.parkedAt === null) !== (options !== undefined)) this.misplaced.add(key);
    else this.misplaced.delete(key);
    if (entry?.lease?.refused) this.fenced.add(key);
    else this.fenced.delete(key);
  }
}
