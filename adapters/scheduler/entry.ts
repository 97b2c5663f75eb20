import type { Lane, ObjectRef, Reason } from "../../functions/contract/index.ts";
import type { Asked } from "./revision.ts";

/** Where a key waits: in the live lane, or for its own time or an order for many in the resync lane (S11). */
export type Queue = "live" | "timer" | "bulk";

/** What the scheduler keeps of one key. Instants are logical milliseconds (S18), and all that has to survive is here. */
export type Entry = {
  readonly ref: ObjectRef;
  /** When it is wanted next; null while it runs and nothing waits behind the run. */
  readonly due: number | null;
  readonly queue: Queue;
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
  /** How often in a row its run was lost with its process (S6). */
  readonly lost: number;
  readonly lease: Lease | null;
  /** The revision that is to answer, until it has (F7). */
  readonly asked?: Asked | undefined;
  /** Its place in its queue, by the options that its line had when this was written. */
  readonly place: number;
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
  readonly queue: Queue;
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
    queue: "bulk",
    liveSince: null,
    reasons: [],
    attempt: 0,
    backoffUntil: null,
    earlyFailures: 0,
    immediateRequeues: 0,
    lastStart: null,
    overBudgetUntil: null,
    refused: null,
    lost: 0,
    lease: null,
    place: 0,
    writtenAt: 0,
  };
}

/** The lane of the wire that a queue belongs to. */
export const laneOf = (queue: Queue): Lane => (queue === "live" ? "live" : "resync");

/** Where a trigger of this lane waits. */
export const queueOf = (lane: Lane): Queue => (lane === "live" ? "live" : "bulk");

export type Want = { readonly due: number; readonly reason: Reason; readonly queue: Queue };

/** S1: the earliest due time, the live lane if either is live, the union of reasons. The same entry where nothing moves. */
export function wanted(entry: Entry, want: Want, now: number): Entry {
  const next = {
    due: earliest(entry.due, want.due),
    queue: merged(entry, want),
    reasons: union(entry.reasons, [want.reason]),
  };
  if (next.due === entry.due && next.queue === entry.queue && next.reasons === entry.reasons) return entry;
  const turnsLive = next.queue === "live" && (entry.queue !== "live" || entry.due === null);
  return { ...entry, ...next, liveSince: turnsLive ? now : entry.liveSince };
}

/** S6, S8: as it was before its run, merged by S1 with what came meanwhile. */
export function restored(entry: Entry): Entry {
  const { queue, before } = entry.lease!;
  return {
    ...{ ...entry, ...before },
    due: earliest(entry.due, before.due!),
    queue: entry.due === null ? queue : merged({ due: before.due, queue }, { due: entry.due, queue: entry.queue }),
    liveSince: queue === "live" ? before.liveSince : entry.liveSince,
    reasons: union(before.reasons, entry.reasons),
  };
}

/** Live if either is live, else the queue of what is due first. */
function merged(entry: Pick<Entry, "due" | "queue">, want: Pick<Want, "due" | "queue">): Queue {
  if (entry.due === null) return want.queue;
  if (entry.queue === "live" || want.queue === "live") return "live";
  return want.due < entry.due ? want.queue : entry.queue;
}

const earliest = (a: number | null, b: number) => (a === null ? b : Math.min(a, b));
function union(reasons: readonly Reason[], more: readonly Reason[]): readonly Reason[] {
  const missing = more.filter((reason) => !reasons.includes(reason));
  return missing.length === 0 ? reasons : [...reasons, ...missing];
}
