import type { Lane, ObjectRef, Reason, SchedulingOptions } from "../../../functions/contract/index.ts";
import type { Seen } from "./situations.ts";

/** One wish for a run. The core merges them into one entry (S1); the model keeps them apart until a run takes them all. */
export type Want = {
  readonly due: number;
  /** The rules name no lane for a requeue. */
  readonly lane: Lane | "either";
  readonly reason: Reason;
  /** A trigger, not the key's own Action or error. */
  readonly trigger: boolean;
  readonly duringRun: boolean;
};

export type Run = {
  readonly lease: string;
  /** The lease's end in logical time, for a reload; a living process goes by {@link Run.endsAt}, monotonic (S18). */
  readonly until: number;
  endsAt: number;
  readonly counts: boolean;
  readonly uid: string | undefined;
  readonly lane: Lane | "either";
};

export type Start = {
  readonly at: number;
  /** Reached the budget, or had to wait for it (S19). */
  readonly strained: boolean;
  /** False once a reload has forgotten it. */
  counted: boolean;
};

/** What the model knows of one key. The starts are history and outlive the entry; the rest is what the entry must say. */
export type Key = {
  readonly name: string;
  readonly ref: ObjectRef;
  readonly options: SchedulingOptions;
  wants: Want[];
  run: Run | null;
  uid: string | undefined;
  failures: number;
  backoffUntil: number | null;
  earlyFailures: number;
  immediates: number;
  starts: Start[];
  /** For situations only: a cap held it; it failed at some time. */
  held: boolean;
  hasFailed: boolean;
};

export type Now = { readonly at: number; readonly monotonic: number };

/** A step's instant, the jitter's random number, and where situations are counted. */
export type Moment = { readonly now: Now; readonly random: number; readonly seen: Seen };

export function newKey(name: string, ref: ObjectRef, options: SchedulingOptions): Key {
  return {
    ...{ name, ref, options, wants: [], run: null, uid: undefined },
    ...{ failures: 0, backoffUntil: null, earlyFailures: 0, immediates: 0 },
    ...{ starts: [], held: false, hasFailed: false },
  };
}

/** There is an entry for as long as something runs or is wanted (S13). */
export const exists = (key: Key): boolean => key.run !== null || key.wants.length > 0;

export const lastStart = (key: Key): number => key.starts.at(-1)?.at ?? Number.NEGATIVE_INFINITY;

/** S1: the earliest due time; infinite where nothing is wanted. */
export const dueAt = (key: Key): number => key.wants.reduce((least, { due }) => Math.min(least, due), Infinity);

/** S1: the live lane if any is live. */
export function laneOf(key: Key): Lane | "either" {
  if (key.wants.some(({ lane }) => lane === "live")) return "live";
  return key.wants.every(({ lane }) => lane === "resync") ? "resync" : "either";
}

/** S1: the union of reasons. */
export const reasonsOf = (key: Key): Reason[] => key.wants.map(({ reason }) => reason);
