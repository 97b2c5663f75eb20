import type { Lane, ObjectRef, Reason } from "../../functions/contract/index.ts";
import type { Asked } from "./revision.ts";

/** What the scheduler keeps of one key. Instants are logical milliseconds (S18), and all that has to survive is here. */
export type Entry = {
  readonly ref: ObjectRef;
  /** When it is wanted next; null while it runs and nothing waits behind the run. */
  readonly due: number | null;
  readonly lane: Lane;
  readonly reasons: readonly Reason[];
  /** As a run last observed it, never as a trigger claims (S13). */
  readonly uid?: string;
  /** Failures in a row that counted (S6, S15). */
  readonly attempt: number;
  readonly backoffUntil: number | null;
  /** Failed runs in a row since the last one that counted: k of S6. */
  readonly earlyFailures: number;
  /** Immediate requeues in a row (S7). */
  readonly immediateRequeues: number;
  readonly lastStart: number | null;
  /** While the key is over its budget (S19). */
  readonly overBudgetUntil: number | null;
  readonly lease: Lease | null;
  /** The revision that is to answer, until it has (F7). */
  readonly asked?: Asked | undefined;
  /** When this was written: the newest one is a floor for the clock of whoever loads it (S18). */
  readonly writtenAt: number;
};

/** The run that holds the key (S5), and what its request said. */
export type Lease = {
  readonly id: string;
  readonly until: number;
  readonly counts: boolean;
  readonly attempt: number;
  readonly uid?: string;
  readonly lane: Lane;
};

/** An entry that nobody has asked anything of yet. */
export function emptyEntry(ref: ObjectRef): Entry {
  return {
    ref,
    due: null,
    lane: "resync",
    reasons: [],
    attempt: 0,
    backoffUntil: null,
    earlyFailures: 0,
    immediateRequeues: 0,
    lastStart: null,
    overBudgetUntil: null,
    lease: null,
    writtenAt: 0,
  };
}
