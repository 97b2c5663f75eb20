import type { Clock } from "../../functions/ports/index.ts";

/**
 * An alarm fires at whole multiples of this, so that keys which come due one after the other start as one wave: its rows
 * are shared. What is due now does not wait.
 */
export const ALARM_GRAIN_MS = 100;

/** A clock with one timer, which outlives the process: the alarm of a Durable Object. */
export interface AlarmClock extends Clock {
  /** The alarm has fired, which cleared it. Calls back whoever waits, perhaps too early: an alarm is only moved ahead. */
  fired(): void;
}

/**
 * Setting an alarm costs a row, so it is set only where it has to fire earlier than it would. Whoever is called back early
 * finds nothing to do, and sets it again.
 * @param base where time comes from.
 * @param alarm sets the alarm to a wall clock time.
 * @param known when it will fire; null where none is set.
 * @param grainMs of what it may fire at whole multiples.
 */
export function createAlarmClock(
  base: Pick<Clock, "now" | "monotonic">,
  alarm: (at: number) => void,
  known: number | null,
  grainMs: number = ALARM_GRAIN_MS,
): AlarmClock {
  let firesAt = known;
  let waiting: (() => void) | undefined;
  return {
    now: () => base.now(),
    monotonic: () => base.monotonic(),
    setTimer(delayMs, callback) {
      const now = base.now();
      const at = delayMs > 0 ? Math.ceil((now + delayMs) / grainMs) * grainMs : now;
      waiting = callback;
      // One that is overdue may have been dropped by the platform (S4). If not, it need not come any more.
      if (firesAt === null || at < firesAt || firesAt <= now) {
        alarm(at);
        firesAt = at;
      }
      return () => {
        if (waiting === callback) waiting = undefined;
      };
    },
    fired() {
      firesAt = null;
      waiting?.();
    },
  };
}
