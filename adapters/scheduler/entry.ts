import type { Lane, ObjectRef, Reason } from "../../functions/contract/index.ts";
import type { Asked } from "./revision.ts";

/** What the scheduler keeps of one key. Instants are logical milliseconds (S18), and all that has to survive is here. */
export type Entry = {
  readonly ref: ObjectRef;
  /** When it is wanted next; null while it runs and nothing waits behind the run. */
  readonly due: number | null;
  readonly lane: Lane;
  /** When it turned live: its place in the live lane is no earlier (S11). */
  readonly liveSince: number | null;
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
  /** Its last run, where the function refused that one (S8). */
  readonly refused: Refused | null;
  /** Since when its controller has not been declared (S17). */
  readonly parkedAt: number | null;
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
  /** What the run took from the entry, for when the function refuses it (S8). */
  readonly before: Pick<Entry, "due" | "liveSince" | "reasons" | "lastStart" | "overBudgetUntil">;
  /** The function refused the run, in a way that leaves open whether it runs all the same: no answer will come (S8). */
  readonly refused: boolean;
};

/** A refusal (S8). The pause that it began is only here: whoever loads the rows finds it again. */
export type Refused = {
  readonly at: number;
  /** Null where it counted as a failure of the key, and nothing paused. */
  readonly pause: { readonly until: number; readonly inARow: number } | null;
};

/** An entry that nobody has asked anything of yet. */
export function emptyEntry(ref: ObjectRef): Entry {
  return {
    ref,
    due: null,
    lane: "resync",
    liveSince: null,
    reasons: [],
    attempt: 0,
    backoffUntil: null,
    earlyFailures: 0,
    immediateRequeues: 0,
    lastStart: null,
    overBudgetUntil: null,
    refused: null,
    parkedAt: null,
    lease: null,
    writtenAt: 0,
  };
}

/** A row as an entry of today: what an earlier release did not write is as in an empty one. */
export function entryOfRow(row: Entry): Entry {
  const { lastStart } = row;
  const before = { due: lastStart, liveSince: null, reasons: [], lastStart, overBudgetUntil: null };
  return { ...emptyEntry(row.ref), ...row, lease: row.lease && Object.assign({ before, refused: false }, row.lease) };
}

export type Want = { readonly due: number; readonly reason: Reason; readonly lane: Lane };

/** S1: the earliest due time, the live lane if either is live, the union of reasons. The same entry where nothing moves. */
export function wanted(entry: Entry, want: Want, now: number): Entry {
  const next = {
    due: earliest(entry.due, want.due),
    lane: entry.lane === "live" ? "live" : want.lane,
    reasons: union(entry.reasons, [want.reason]),
  } as const;
  if (next.due === entry.due && next.lane === entry.lane && next.reasons === entry.reasons) return entry;
  return { ...entry, ...next, liveSince: next.lane === entry.lane ? entry.liveSince : now };
}

/** S8: as it was before its run, merged by S1 with what came meanwhile. */
export function restored(entry: Entry): Entry {
  const { lane, before } = entry.lease!;
  return {
    ...{ ...entry, ...before },
    due: earliest(entry.due, before.due!),
    lane: lane === "live" ? lane : entry.lane,
    liveSince: lane === "live" ? before.liveSince : entry.liveSince,
    reasons: union(before.reasons, entry.reasons),
  };
}

const earliest = (a: number | null, b: number) => (a === null ? b : Math.min(a, b));
function union(reasons: readonly Reason[], more: readonly Reason[]): readonly Reason[] {
  const missing = more.filter((reason) => !reasons.includes(reason));
  return missing.length === 0 ? reasons : [...reasons, ...missing];
}
