import type { Lane, ObjectRef, Reason } from "../../../functions/contract/index.ts";
import type { Line } from "./line.ts";
import type { Seen } from "./situations.ts";

/** The live lane, and the two kinds of the resync lane (S11). */
export type Queue = "live" | "timer" | "bulk";

/** What holds a line that could start something (S12). */
export type Hold = "the line's cap" | "the process's cap" | "the reserve";

/** One wish for a run. The core merges them into one entry (S1); the model keeps them apart until a run takes them all. */
export type Want = {
  /** When it was made. */
  readonly at: number;
  readonly due: number;
  readonly queue: Queue;
  readonly reason: Reason;
  /** A trigger, not the key's own Action or error. */
  readonly trigger: boolean;
  readonly duringRun: boolean;
};

export type Run = {
  readonly lease: string;
  readonly startedAt: number;
  /** The lease's end in logical time, for a reload; a living process goes by {@link Run.endsAt}, monotonic (S18). */
  readonly until: number;
  endsAt: number;
  readonly counts: boolean;
  readonly uid: string | undefined;
  readonly queue: Queue;
  /** What it took, for when it is refused (S8) or lost with its process (S6). */
  readonly wants: readonly Want[];
  /** No answer will come: only the lease stands (S8). */
  readonly refused: boolean;
  /** A process before this one started it (S5). */
  foundAtLoad: boolean;
};

export type Start = {
  readonly at: number;
  /** Reached the budget, or had to wait for it (S19). */
  readonly strained: boolean;
  /** False once a reload has forgotten it. */
  counted: boolean;
};

/** A refusal of the key's last run (S8), with the pause that it began or made longer. */
export type Refused = {
  readonly at: number;
  readonly pause: { readonly until: number; readonly inARow: number } | null;
};

/** What the model knows of one key. The starts are history and outlive the entry; the rest is what the entry must say. */
export type Key = {
  readonly name: string;
  readonly ref: ObjectRef;
  readonly line: Line;
  wants: Want[];
  run: Run | null;
  uid: string | undefined;
  failures: number;
  backoffUntil: number | null;
  earlyFailures: number;
  immediates: number;
  refused: Refused | null;
  /** Times in a row that its run was lost with its process (S6). */
  lost: number;
  starts: Start[];
  /** Written while its line was not declared: what waits is put down for its due time, and put off when that has come. */
  isMisplaced: boolean;
  /** For situations only: what held it; it was parked; it failed at some time. */
  heldBy: Hold | null;
  hasFailed: boolean;
  wasParked: boolean;
};

export type Now = { readonly at: number; readonly monotonic: number };

/** A step's instant, the jitter's random number, and where situations are counted. */
export type Moment = { readonly now: Now; readonly random: number; readonly seen: Seen };

const UNWANTED = {
  ...{ run: null, uid: undefined, failures: 0, backoffUntil: null, earlyFailures: 0, immediates: 0 },
  ...{ refused: null, lost: 0, isMisplaced: false },
};

export function newKey(name: string, ref: ObjectRef, line: Line): Key {
  const situations = { heldBy: null, hasFailed: false, wasParked: false };
  return { name, ref, line, wants: [], starts: [], ...UNWANTED, ...situations };
}

/** Nothing is left of its entry (S17), nor of what only the entry said of its starts. */
export function forget(key: Key): void {
  const starts = key.starts.some(({ counted }) => counted) ? key.starts : [];
  Object.assign(key, UNWANTED, { starts, wants: [], heldBy: null, wasParked: false });
}

/** There is an entry for as long as something runs or is wanted (S13). */
export const exists = (key: Key): boolean => key.run !== null || key.wants.length > 0;

export const lastStart = (key: Key): number => key.starts.at(-1)?.at ?? Number.NEGATIVE_INFINITY;

/** S1: the earliest due time; infinite where nothing is wanted. */
export function dueAt({ wants }: Key): number {
  let least = Infinity;
  for (const { due } of wants) if (due < least) least = due;
  return least;
}

/** S1: live if any wish is live, else as the earliest of them, the first of those that are as early. */
export function queueOf({ wants }: Key): Queue {
  let first = wants[0]!;
  for (const want of wants) {
    if (want.queue === "live") return "live";
    if (want.due < first.due) first = want;
  }
  return first.queue;
}

export const laneOf = (key: Key): Lane => (queueOf(key) === "live" ? "live" : "resync");

/** S11: since when it has been live. */
export const liveSince = (key: Key): number =>
  key.wants.reduce((least, { queue, at }) => (queue === "live" ? Math.min(least, at) : least), Infinity);

/** S1: the union of reasons. */
export const reasonsOf = (key: Key): Reason[] => key.wants.map(({ reason }) => reason);
