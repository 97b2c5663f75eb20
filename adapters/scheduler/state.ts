import type { SchedulingOptions } from "../../functions/contract/index.ts";
import { startableAt } from "./core.ts";
import { DueQueue } from "./due-queue.ts";
import type { Entry } from "./entry.ts";

/** What a step changes: an entry as it is from now on, or null where nothing is left of it. */
export type Changes = ReadonlyMap<string, Entry | null>;

/** S19 counts starts within this. */
export const BUDGET_WINDOW_MS = 60_000;

/**
 * A shard's memory: its entries, and indexes over them that can be rebuilt from them at any time (S14). Steps read it;
 * only {@link State.apply} writes, after the store has committed. The one thing that a reload forgets is how often a key
 * started within the last minute, unless it was over its budget already, which stands in its entry.
 */
export class State {
  readonly entries = new Map<string, Entry>();
  readonly controllers: ReadonlyMap<string, SchedulingOptions>;
  /** Keys that time alone holds back, by controller. */
  readonly #due = new Map<string, DueQueue>();
  /** When the lease of each running key ends, on the monotonic clock (S18), by controller. */
  readonly #running = new Map<string, DueQueue>();
  #starts: { key: string; at: number }[] = [];
  #oldestStart = 0;
  readonly #recent = new Map<string, { count: number; lastStart: number; overBudgetUntil: number | null }>();

  constructor(controllers: ReadonlyMap<string, SchedulingOptions>) {
    this.controllers = controllers;
    for (const name of controllers.keys()) this.#due.set(name, new DueQueue());
  }

  due(controller: string): DueQueue | undefined {
    return this.#due.get(controller);
  }

  running(controller: string): number {
    return this.#running.get(controller)?.size ?? 0;
  }

  /** Every queue of leases, for finding those that ended. */
  leases(): Iterable<DueQueue> {
    return this.#running.values();
  }

  /** Starts of a key within the last minute, and what its entry would say of them if there were one. */
  recent(key: string, now: number): { count: number; lastStart: number; overBudgetUntil: number | null } | undefined {
    for (let start = this.#starts[this.#oldestStart]; start && start.at <= now - BUDGET_WINDOW_MS; ) {
      const seen = this.#recent.get(start.key);
      if (seen && --seen.count === 0) this.#recent.delete(start.key);
      start = this.#starts[++this.#oldestStart];
    }
    if (this.#oldestStart > 1_000 && this.#oldestStart > this.#starts.length / 2) {
      this.#starts = this.#starts.slice(this.#oldestStart);
      this.#oldestStart = 0;
    }
    return this.#recent.get(key);
  }

  /** Takes over rows that were stored, in whatever order. */
  load(rows: Changes, leaseEnds: (entry: Entry) => number): void {
    const inOrder = [...rows].sort(([, a], [, b]) => (a?.lastStart ?? 0) - (b?.lastStart ?? 0));
    this.apply(new Map(inOrder), leaseEnds); // starts are counted in the order of time
  }

  /** Takes over what a step decided. `leaseEnds` gives the end of a running key's lease on the monotonic clock. */
  apply(changes: Changes, leaseEnds: (entry: Entry) => number): void {
    for (const [key, entry] of changes) {
      const before = this.entries.get(key);
      const { controller } = (entry ?? before)?.ref ?? { controller: "" };
      if (entry) this.entries.set(key, entry);
      else this.entries.delete(key);
      this.#index(key, controller, entry);
      if (entry?.lease && entry.lease.id !== before?.lease?.id) {
        this.#leases(controller).set(key, leaseEnds(entry));
        this.#countStart(key, entry);
      } else if (!entry?.lease) this.#running.get(controller)?.delete(key);
    }
  }

  #index(key: string, controller: string, entry: Entry | null): void {
    const queue = this.#due.get(controller);
    const options = this.controllers.get(controller);
    if (!queue || !options) return;
    if (entry && entry.due !== null && !entry.lease) queue.set(key, startableAt(entry, options));
    else queue.delete(key);
  }

  #leases(controller: string): DueQueue {
    const queue = this.#running.get(controller) ?? new DueQueue();
    this.#running.set(controller, queue);
    return queue;
  }

  #countStart(key: string, { lastStart, overBudgetUntil }: Entry): void {
    const at = lastStart ?? 0;
    this.#starts.push({ key, at });
    const count = (this.#recent.get(key)?.count ?? 0) + 1;
    this.#recent.set(key, { count, lastStart: at, overBudgetUntil });
  }
}
