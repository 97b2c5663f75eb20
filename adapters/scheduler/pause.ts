/**
 * S8: a function that refuses runs. Its line pauses; once the pause has ended one run probes, and when the function
 * has answered that run, the rest goes on.
 * @module
 */
import type { Refusal } from "../../functions/ports/index.ts";
import type { Entry } from "./entry.ts";

/** A Retry-After below this is taken for it, and the first pause without one lasts as long. */
export const SHORTEST_PAUSE_MS = 1_000;
/** A Retry-After above this is cut to it, and pauses that double grow up to it. */
export const LONGEST_PAUSE_MS = 300_000;
const TOO_MANY_REQUESTS = 429;

export type Pause = {
  readonly until: number;
  /** Pauses in a row, this one included: each began with the refusal of the last one's probe. */
  readonly inARow: number;
  /** The lease of the run that probes, from the pause's end on. */
  readonly probe: string | null;
};

/** What holds a line as a whole, beside its concurrency. */
export type Pace = {
  readonly pause: Pause | null;
  /** The newest start of a run that the function answered. A reload forgets it: a key then counts one refusal later. */
  readonly answeredStart: number;
  /** Live runs in a row that started past a waiting key of the resync lane (S11). A reload forgets it. */
  readonly passed: number;
  /** Which kind of the resync lane started last (S11). A reload forgets it. */
  readonly resynced: "timer" | "bulk" | null;
  /** Which start the line's last one was, of all lines (S20). A reload forgets it. */
  readonly served: number;
};

export const FREE: Pace = {
  ...{ pause: null, answeredStart: Number.NEGATIVE_INFINITY },
  ...{ passed: 0, resynced: null, served: 0 },
};

/** How many runs a pause lets start. */
export function letsStart(pause: Pause | null, now: number): number {
  if (pause === null) return Number.POSITIVE_INFINITY;
  return now < startsAgainAt(pause) ? 0 : 1;
}

/** From when on a pause lets something start by time alone: never while it waits for the answer to its probe. */
export function startsAgainAt(pause: Pause | null): number {
  if (pause === null) return Number.NEGATIVE_INFINITY;
  return pause.probe === null ? pause.until : Number.POSITIVE_INFINITY;
}

/** The function answered a run, whatever the outcome: it takes runs. */
export function answered(pace: Pace, { lease, lastStart }: Entry): Pace {
  const answeredStart = Math.max(pace.answeredStart, lastStart!);
  return { ...pace, answeredStart, pause: isProbe(pace.pause, lease!.id) ? null : pace.pause };
}

/** A run ended without an answer. Where it probed, another one does. */
export function unanswered(pace: Pace, { lease }: Entry): Pace {
  return isProbe(pace.pause, lease!.id) ? { ...pace, pause: { ...pace.pause, probe: null } } : pace;
}

/**
 * Whether a refusal counts as a failure of its key: the second in a row, where the function took a run of another key that
 * started in between. So a poison key does not stop its line.
 */
export function isOfTheKey({ refused }: Entry, { answeredStart }: Pace, { status }: Refusal): boolean {
  return status !== TOO_MANY_REQUESTS && refused !== null && refused.at < answeredStart;
}

/** A refused run was sent, and what refused it may not have been our code: then the function may run it all the same. */
export const mayRunAllTheSame = ({ sent, ours }: Refusal): boolean => sent && !ours;

/** The pause after a refusal. A run that started before the pause can make it longer, but does not make it grow. */
export function paused({ pause }: Pace, lease: string, { retryAfterMs }: Refusal, now: number): Pause {
  const isLate = pause !== null && pause.probe !== lease;
  const inARow = pause === null ? 1 : pause.inARow + (isLate ? 0 : 1);
  const asked = retryAfterMs !== undefined && retryAfterMs >= 0 ? retryAfterMs : SHORTEST_PAUSE_MS * 2 ** (inARow - 1);
  const until = now + Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, asked));
  return { until: isLate ? Math.max(pause.until, until) : until, inARow, probe: null };
}

/** S14: the last pause that a row tells of. It may have ended since; then one more run probes. */
export function pauseOfRows(pause: Pause | null, { until, inARow }: Omit<Pause, "probe">): Pause {
  return pause && pause.until >= until ? pause : { until, inARow, probe: null };
}

function isProbe(pause: Pause | null, lease: string): pause is Pause {
  return pause?.probe === lease;
}
