import type { SchedulingOptions } from "../../functions/contract/index.ts";
import type { Entry, Queue } from "./entry.ts";
import { Line, lineOf, lineOfKey } from "./line.ts";
import type { LostRun } from "./lost.ts";
import { type Pace, pauseOfRows } from "./pause.ts";
import { type Recent, RecentStarts } from "./recent-starts.ts";
import type { Turn } from "./turn.ts";

/** What a deployment declares: its lines are each controller in each cluster. */
export type Declared = {
  readonly controllers: ReadonlyMap<string, SchedulingOptions>;
  readonly clusters: ReadonlySet<string>;
};

export type Limits = {
  /** Most keys: what can be loaded again (S21). One longer than 200 characters weighs more. */
  readonly keys: number;
  /** Most runs at once, over all lines (S12). */
  readonly running: number;
};

/** What a step changes, and has to be durable: entries, null where nothing is left; and since when lines are parked (S17). */
export type Changes = {
  readonly entries: ReadonlyMap<string, Entry | null>;
  readonly parked: ReadonlyMap<string, number | null>;
};

/** What a step has decided. What is not in the changes is in memory only: the rows tell of it where it matters. */
export type Decided = Changes & {
  readonly paces: ReadonlyMap<string, Pace>;
  readonly lost: LostRun | null;
  readonly turn: Turn;
  /** Keys whose start counts as none. */
  readonly unstarted: ReadonlySet<string>;
};

/** What is loaded of an entry. The entry itself is needed where it has a lease, was refused, or was lost. */
export type Row = {
  readonly key: string;
  readonly queue: Queue;
  readonly place: number;
  readonly writtenAt: number;
  readonly entry?: Entry;
};

/** How long a key's text may be before it weighs more than one (S21): that of most is half as long. */
const LIGHT_KEY_LENGTH = 200;

export const weightOf = (key: string): number => Math.max(1, key.length / LIGHT_KEY_LENGTH);

/**
 * A shard's memory: its running entries, and where the others wait, which can be rebuilt from their rows at any time (S14,
 * S21). Steps read it; only {@link State.apply} writes.
 */
export class State {
  readonly declared: Declared;
  readonly limits: Limits;
  /** When lines that are not declared were parked (S17). */
  readonly parked = new Map<string, number>();
  /** Keys that only a lease holds: their run was refused, and no answer will come (S8). */
  readonly fenced = new Set<string>();
  /** Keys whose lease was found at load: their run was started by a process that is gone (S6). */
  readonly inherited = new Set<string>();
  lost: LostRun | null = null;
  turn: Turn = { passed: 0, served: 0 };
  size = 0;
  weight = 0;
  readonly #read: (key: string) => Entry | undefined;
  readonly #lines = new Map<string, Line>();
  readonly #running = new Map<string, Entry>();
  readonly #recent = new RecentStarts();

  /** @param read the newest state of a key that waits. */
  constructor(declared: Declared, limits: Limits, read: (key: string) => Entry | undefined) {
    this.declared = declared;
    this.limits = limits;
    this.#read = read;
    for (const cluster of declared.clusters)
      for (const controller of declared.controllers.keys()) this.line(lineOf({ cluster, controller }));
  }

  /** All lines, those that are declared first. */
  lines(): Iterable<Line> {
    return this.#lines.values();
  }

  line(name: string): Line {
    let line = this.#lines.get(name);
    if (!line) {
      const [cluster = "", controller = ""] = name.split("/");
      line = new Line(
        name,
        this.declared.clusters.has(cluster) ? this.declared.controllers.get(controller) : undefined,
      );
      this.#lines.set(name, line);
    }
    return line;
  }

  has(key: string): boolean {
    return this.#running.has(key) || (this.#lines.get(lineOfKey(key))?.has(key) ?? false);
  }

  entry(key: string): Entry | undefined {
    return this.#running.get(key) ?? (this.has(key) ? this.#read(key) : undefined);
  }

  /** Entries that hold a lease. */
  running(): ReadonlyMap<string, Entry> {
    return this.#running;
  }

  recent(key: string, now: number): Recent | undefined {
    return this.#recent.of(key, now);
  }

  /** How often a key started within a minute, without its last start where a step has found that to be none (S6, S8). */
  startsWithinAMinute(key: string, now: number, unstarted: ReadonlySet<string>): number {
    return this.#recent.count(key, now, unstarted.has(key));
  }

  /** Takes over what was stored, in whatever order. */
  load(rows: Iterable<Row>, parked: ReadonlyMap<string, number>, leaseEnds: (entry: Entry) => number): void {
    const running: [string, Entry][] = [];
    for (const { key, queue, place, entry } of rows) {
      if (entry?.lease) running.push([key, entry]);
      else if (entry) this.#place(key, entry);
      else {
        this.line(lineOfKey(key))[queue].set(key, place);
        this.#count(key, 1);
      }
      if (entry?.refused?.pause) {
        const line = this.line(lineOf(entry.ref));
        line.pace = { ...line.pace, pause: pauseOfRows(line.pace.pause, entry.refused.pause) };
      }
    }
    running.sort(([, a], [, b]) => (a.lastStart ?? 0) - (b.lastStart ?? 0)); // starts are counted in the order of time
    for (const [key, entry] of running) {
      this.#place(key, entry);
      this.#hold(key, entry, leaseEnds);
      this.inherited.add(key);
    }
    for (const [line, at] of parked) this.parked.set(line, at);
  }

  /** Takes over what a step decided. `leaseEnds` gives the end of a running key's lease on the monotonic clock. */
  apply(decided: Decided, leaseEnds: (entry: Entry) => number): void {
    for (const [line, pace] of decided.paces) this.line(line).pace = pace;
    for (const [line, at] of decided.parked) {
      if (at === null) this.parked.delete(line);
      else this.parked.set(line, at);
    }
    this.lost = decided.lost;
    this.turn = decided.turn;
    for (const key of decided.unstarted) this.#recent.takeBack(key);
    for (const [key, entry] of decided.entries) {
      const held = this.#running.get(key)?.lease?.id;
      this.#place(key, entry);
      if (!entry?.lease) this.#release(key);
      else if (entry.lease.id !== held) this.#hold(key, entry, leaseEnds);
      else this.#running.set(key, entry);
      if (entry?.lease?.refused) this.fenced.add(key);
      else this.fenced.delete(key);
      if (entry?.lease?.id !== held) this.inherited.delete(key);
    }
  }

  /** Gives leases their ends anew, where their run starts later than it was decided (S5). */
  renew(key: string, lease: string, end: number): void {
    if (this.#running.get(key)?.lease?.id === lease) this.line(lineOfKey(key)).running.set(key, end);
  }

  #place(key: string, entry: Entry | null): void {
    const line = this.line(lineOfKey(key));
    const before = line.has(key);
    line.place(key, entry);
    if (before !== (entry !== null)) this.#count(key, entry ? 1 : -1);
  }

  #hold(key: string, entry: Entry, leaseEnds: (entry: Entry) => number): void {
    this.#running.set(key, entry);
    this.line(lineOfKey(key)).running.set(key, leaseEnds(entry));
    if (entry.lease!.refused) this.fenced.add(key);
    else this.#recent.add(key, entry);
  }

  #release(key: string): void {
    this.#running.delete(key);
    this.line(lineOfKey(key)).running.delete(key);
  }

  #count(key: string, by: 1 | -1): void {
    this.size += by;
    this.weight += by * weightOf(key);
  }
}
