import type { Clock } from "../../functions/ports/index.ts";

/**
 * An alarm fires at whole multiples of this, so that keys which come due one after the other start as one wave: its rows
 * are shared. What is due now does not wait.
 */
export const ALARM_GRAIN_MS = 100;

/**
 * The alarm for the end of a lease is set only once leases have been held for this long: most runs are over by then, and
 * setting one costs a row. What an object that ends within this time leaves behind, the relay's `/wake` finds (R12).
 */
export const LEASE_ALARM_AFTER_MS = 1_000;

/** A clock with one timer, which outlives the process: the alarm of a Durable Object. */
export interface AlarmClock extends Clock {
  /** For the end of the first lease; null while there is none. */
  setLeaseTimer(delayMs: number | null, callback: () => void): void;
  /** The alarm has fired, which cleared it. Calls back whoever waits, perhaps too early: an alarm is only moved ahead. */
  fired(): void;
}

/**
 * Setting an alarm costs a row, so it is set only where it has to fire earlier than it would. Whoever is called back early
 * finds nothing to do, and sets it again.
 * @param base where time comes from, with timers that end with the process.
 * @param alarm sets the alarm to a wall clock time.
 * @param known when it will fire; null where none is set.
 * @param grainMs of what it may fire at whole multiples.
 */
export function createAlarmClock(
  base: Clock,
  alarm: (at: number) => void,
  known: number | null,
  grainMs: number = ALARM_GRAIN_MS,
): AlarmClock {
  let firesAt = known;
  let waiting: (() => void) | undefined;
  let held: { since: number; cancel: () => void } | undefined;
  const wakeAt = (at: number) => {
    // One that is overdue may have been dropped by the platform (S4). If not, it need not come any more.
    if (firesAt !== null && at >= firesAt && firesAt > base.now()) return;
    alarm(at);
    firesAt = at;
  };
  return {
    now: () => base.now(),
    monotonic: () => base.monotonic(),
    setTimer(delayMs, callback) {
      const now = base.now();
      const at = delayMs > 0 ? Math.ceil((now + delayMs) / grainMs) * grainMs : now;
      waiting = callback;
      wakeAt(at);
      return () => {
        if (waiting === callback) waiting = undefined;
      };
    },
    setLeaseTimer(delayMs, callback) {
      held?.cancel();
      if (delayMs === null) {
        held = undefined;
        return;
      }
      const now = base.now();
      const since = held?.since ?? now;
      const at = Math.ceil((now + delayMs) / grainMs) * grainMs;
      const set = () => {
        waiting ??= callback;
        wakeAt(at);
      };
      const afterMs = Math.max(0, since + LEASE_ALARM_AFTER_MS - now);
      held = { since, cancel: afterMs > 0 ? base.setTimer(afterMs, set) : () => {} };
      if (afterMs === 0) set();
    },
    fired() {
      firesAt = null;
      waiting?.();
    },
  };
}
