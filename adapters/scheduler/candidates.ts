import type { SchedulingOptions } from "../../functions/contract/index.ts";
import type { Draft } from "./draft.ts";
import type { Entry, Queue } from "./entry.ts";
import { type Line, lineOfKey } from "./line.ts";
import { letsStart, type Pace } from "./pause.ts";
import { startableAt } from "./place.ts";
import type { State } from "./state.ts";
import { queueInTurn, served } from "./turn.ts";

type Waiting = { readonly key: string; readonly at: number };
type Refused = Waiting & { readonly queue: Queue };
type Changed = [key: string, entry: Entry];

/** What a step has changed in a line so far. */
type ChangesOfLine = { readonly running: number; readonly waiting: readonly Changed[] };
const UNCHANGED: ChangesOfLine = { running: 0, waiting: [] };

/** What of one line may start now, each queue in its order, and how many of it (S8, S11, S12). */
export class Candidates {
  readonly line: Line;
  readonly options: SchedulingOptions;
  pace: Pace;
  running: number;
  /** How many more the line's concurrency and its pause let start. */
  room: number;
  readonly #changed: readonly Changed[];
  readonly #queues: Readonly<Record<Queue, Waiting[]>>;
  #lost: Waiting | undefined;
  /** In a pause, where every key that may start was refused: the one of the longest ago. */
  #lastResort: Refused | undefined;

  constructor(line: Line, options: SchedulingOptions, context: CandidatesContext) {
    const { draft, now, changes, most } = context;
    this.line = line;
    this.options = options;
    this.pace = draft.pace(line.name);
    this.running = line.running.size + changes.running;
    this.room = Math.min(options.concurrency - this.running, letsStart(this.pace.pause, now));
    this.#changed = this.room > 0 ? changes.waiting.filter(([, entry]) => startableAt(entry, options) <= now) : [];
    const room = Math.max(0, Math.min(this.room, most));
    const probes = this.pace.pause !== null;
    const isOther = (key: string, entry?: Entry) => !probes || !(entry ? entry.refused : line.refused.has(key));
    const skip = (key: string) => draft.entries.has(key) || !isOther(key);
    const merged = (unchanged: Waiting[], mine: (entry: Entry) => boolean) => {
      const changed = this.#changed.filter(([key, entry]) => mine(entry) && isOther(key, entry));
      const waiting = changed.map(([key, { place }]): Waiting => ({ key, at: place }));
      return unchanged.concat(waiting).sort((a, b) => a.at - b.at);
    };
    const ofQueue = (queue: Queue) =>
      room > 0 ? merged(line[queue].upTo(now, room, skip), (entry) => entry.lost === 0 && entry.queue === queue) : [];
    this.#queues = { live: ofQueue("live"), timer: ofQueue("timer"), bulk: ofQueue("bulk") };
    this.#lost = room > 0 ? merged(line.lost.upTo(now, 1, skip), (entry) => entry.lost > 0)[0] : undefined;
    if (!probes || room <= 0 || this.queue) return;
    this.#lastResort = this.#refusedLongestAgo(context, false);
    const lost = this.#lost ? undefined : this.#refusedLongestAgo(context, true);
    if (lost && lost.at <= (this.#lastResort?.at ?? lost.at)) this.#lost = lost;
  }

  /** The queue of the line's head, by the line's own turn. */
  get queue(): Queue | undefined {
    return this.#lastResort?.queue ?? queueInTurn(this.pace, this.#waits());
  }

  get served(): number {
    return this.pace.served;
  }

  get hasLost(): boolean {
    return this.#lost !== undefined;
  }

  get lostKey(): string {
    return this.#lost!.key;
  }

  headOf(queue: Queue): string {
    return (this.#lastResort ?? this.#queues[queue][0])!.key;
  }

  takeLost(): void {
    this.#lost = undefined;
  }

  /** Takes the head out. A last resort is nobody's turn. */
  take(queue: Queue): void {
    if (this.#lastResort) {
      this.#lastResort = undefined;
      return;
    }
    const waits = this.#waits();
    this.#queues[queue].shift();
    this.pace = served(this.pace, queue, waits);
  }

  #waits(): Record<Queue, boolean> {
    const { live, timer, bulk } = this.#queues;
    return { live: live.length > 0, timer: timer.length > 0, bulk: bulk.length > 0 };
  }

  #refusedLongestAgo({ draft, now }: CandidatesContext, isLost: boolean): Refused | undefined {
    const mayStart = (entry: Entry) => startableAt(entry, this.options) <= now && entry.lost > 0 === isLost;
    const skip = (key: string) => draft.entries.has(key) || !mayStart(draft.entry(key)!);
    const [unchanged] = this.line.refused.upTo(now, 1, skip);
    const found = this.#changed.filter(([, entry]) => entry.refused && mayStart(entry));
    if (unchanged) found.unshift([unchanged.key, draft.entry(unchanged.key)!]);
    const [first] = found.sort(([, a], [, b]) => a.refused!.at - b.refused!.at);
    return first && { key: first[0], at: first[1].refused!.at, queue: first[1].queue };
  }
}

type CandidatesContext = {
  draft: Draft;
  now: number;
  changes: ChangesOfLine;
  most: number;
};

/** The declared lines where something may wait, in declared order, and how many declared lines run nothing. */
export function candidatesOf(
  state: State,
  draft: Draft,
  { now, most }: { now: number; most: number },
): { all: Candidates[]; running: number; idle: number } {
  const byLine = new Map<string, { running: number; waiting: Changed[] }>();
  let running = state.running().size;
  for (const [key, entry] of draft.entries) {
    const name = lineOfKey(key);
    const changes = byLine.get(name) ?? { running: 0, waiting: [] };
    byLine.set(name, changes);
    const more = Number(Boolean(entry?.lease)) - Number(state.running().has(key));
    changes.running += more;
    running += more;
    if (entry && !entry.lease && entry.due !== null) changes.waiting.push([key, entry]);
  }
  const all: Candidates[] = [];
  let idle = 0;
  for (const line of state.lines()) {
    if (!line.options) continue;
    const changes = byLine.get(line.name) ?? UNCHANGED;
    if (line.running.size + changes.running === 0) idle++;
    if (line.waiting + changes.waiting.length > 0)
      all.push(new Candidates(line, line.options, { draft, now, changes, most }));
  }
  return { all, running, idle };
}
