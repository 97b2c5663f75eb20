import type { Lane, ObjectRef, Reason } from "../../../functions/contract/index.ts";
import type { Controller } from "./controller.ts";
import type { Seen } from "./situations.ts";

/** One wish for a run. The core merges them into one entry (S1); the model keeps them apart until a run takes them all. */
export type Want = {
  /** When it was made. */
  readonly at: number;
  readonly due: number;
  readonly lane: Lane;
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
  readonly lane: Lane;
  /** What it took, for when it is refused (S8). */
  readonly wants: readonly Want[];
  /** No answer will come: only the lease stands (S8). */
  readonly refused: boolean;
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
  readonly controller: Controller;
  wants: Want[];
  run: Run | null;
  uid: string | undefined;
  failures: number;
  backoffUntil: number | null;
  earlyFailures: number;
  immediates: number;
  refused: Refused | null;
  parkedAt: number | null;
  starts: Start[];
  /** For situations only: a cap or a pause held it, or it was parked; it failed at some time. */
  held: boolean;
  hasFailed: boolean;
  wasParked: boolean;
};

export type Now = { readonly at: number; readonly monotonic: number };

/** A step's instant, the jitter's random number, and where situations are counted. */
export type Moment = { readonly now: Now; readonly random: number; readonly seen: Seen };

const UNWANTED = {
  ...{ run: null, uid: undefined, failures: 0, backoffUntil: null, earlyFailures: 0, immediates: 0 },
  ...{ refused: null, parkedAt: null },
};

export function newKey(name: string, ref: ObjectRef, controller: Controller): Key {
  const situations = { held: false, hasFailed: false, wasParked: false };
  return { name, ref, controller, wants: [], starts: [], ...UNWANTED, ...situations };
}

/** Nothing is left of its entry (S17), nor of what only the entry said of its starts. */
export function forget(key: Key): void {
  const starts = key.starts.some(({ counted }) => counted) ? key.starts : [];
  Object.assign(key, UNWANTED, { starts, wants: [], wasParked: false });
}

/** There is an entry for as long as something runs or is wanted (S13). */
export const exists = (key: Key): boolean => key.run !== null || key.wants.length > 0;

export const lastStart = (key: Key): number => key.starts.at(-1)?.at ?? Number.NEGATIVE_INFINITY;

/** S1: the earliest due time; infinite where nothing is wanted. */
export const dueAt = (key: Key): number => key.wants.reduce((least, { due }) => Math.min(least, due), Infinity);

/** S1: the live lane if any is live. */
export const laneOf = (key: Key): Lane => (key.wants.some(({ lane }) => lane === "live") ? "live" : "resync");

/** S11: since when it has been live. */
export const liveSince = (key: Key): number =>
  key.wants.reduce((least, { lane, at }) => (lane === "live" ? Math.min(least, at) : least), Infinity);

/** S1: the union of reasons. */
export const reasonsOf = (key: Key): Reason[] => key.wants.map(({ reason }) => reason);
