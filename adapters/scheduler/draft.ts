import type { Entry } from "./entry.ts";
import { lineOfKey } from "./line.ts";
import type { LostRun } from "./lost.ts";
import type { Note } from "./notes.ts";
import type { Pace } from "./pause.ts";
import { placeOf } from "./place.ts";
import { type Decided, type State, weightOf } from "./state.ts";
import type { Turn } from "./turn.ts";

/** What a step has decided so far, over a state that it only reads. */
export class Draft implements Decided {
  readonly entries = new Map<string, Entry | null>();
  readonly parked = new Map<string, number | null>();
  readonly paces = new Map<string, Pace>();
  readonly unstarted = new Set<string>();
  readonly notes: Note[] = [];
  lost: LostRun | null;
  turn: Turn;
  readonly #state: State;
  readonly #now: number;
  readonly #read = new Map<string, Entry | null>();
  #weight: number;

  constructor(state: State, now: number) {
    this.#state = state;
    this.#now = now;
    this.#weight = state.weight;
    this.lost = state.lost;
    this.turn = state.turn;
  }

  entry(key: string): Entry | null {
    const changed = this.entries.get(key);
    if (changed !== undefined) return changed;
    let entry = this.#read.get(key);
    if (entry === undefined) {
      entry = this.#state.entry(key) ?? null;
      this.#read.set(key, entry);
    }
    return entry;
  }

  has(key: string): boolean {
    const changed = this.entries.get(key);
    return changed === undefined ? this.#state.has(key) : changed !== null;
  }

  /** The lease that holds a key. */
  leaseOf(key: string): string | undefined {
    const changed = this.entries.get(key);
    return (changed === undefined ? this.#state.running().get(key) : changed)?.lease?.id;
  }

  /** S21: whether another key could not be loaded again. */
  isFull(key: string): boolean {
    return this.#weight + weightOf(key) > this.#state.limits.keys;
  }

  pace(line: string): Pace {
    return this.paces.get(line) ?? this.#state.line(line).pace;
  }

  parkedAt(line: string): number | undefined {
    const changed = this.parked.get(line);
    return changed === undefined ? this.#state.parked.get(line) : (changed ?? undefined);
  }

  change(key: string, entry: Entry | null): void {
    if (entry !== null && entry === this.entry(key)) return;
    const before = this.has(key);
    if (entry === null && !before) return;
    this.entries.set(key, entry && { ...entry, place: this.#placeOf(key, entry), writtenAt: this.#now });
    if (before !== (entry !== null)) this.#weight += entry ? weightOf(key) : -weightOf(key);
  }

  #placeOf(key: string, entry: Entry): number {
    const { options } = this.#state.line(lineOfKey(key));
    if (entry.due === null || entry.lease) return 0;
    // Its options are not known while it is parked: by none it waits longer for its turn than it should.
    return options ? placeOf(entry, options) : Math.max(entry.due, entry.liveSince ?? 0);
  }

  /** The entries of a line that this step has changed. */
  *changesOf(line: string): Iterable<[key: string, entry: Entry | null]> {
    for (const change of this.entries) if (lineOfKey(change[0]) === line) yield change;
  }
}
