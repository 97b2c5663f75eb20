/**
 * S6: a run that was lost with its process may be what ended it. So it is restored whole, such keys run one at a time, and
 * only one that is lost twice in a row counts as failed: one poisonous object never makes its neighbours back off. One that
 * was lost twice runs alone, however long it takes, so that of two whose runs overlapped the innocent one gets through.
 * @module
 */

/** The next one starts when the last one has run for this, even if it has not ended. */
export const LOST_SPACING_MS = 5_000;

/** The last start of a key that was lost, on the monotonic clock. In memory only: after a reload one may start. */
export type LostRun = {
  readonly key: string;
  readonly lease: string;
  readonly startedAt: number;
  /** Whether the key was lost twice in a row or more: no other lost one starts while it runs. */
  readonly isAlone: boolean;
};

/**
 * Milliseconds until the next lost key may start by time alone; 0 where it may now, infinite where only the end of a run helps.
 * @param holds the lease that holds a key just now.
 */
export function lostGateInMs(
  last: LostRun | null,
  holds: (key: string) => string | undefined,
  monotonic: number,
): number {
  if (last === null || holds(last.key) !== last.lease) return 0;
  if (last.isAlone) return Number.POSITIVE_INFINITY;
  return Math.max(0, last.startedAt + LOST_SPACING_MS - monotonic);
}
