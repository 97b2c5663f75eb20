import { systemClock } from "../../../adapters/runtime/system-clock.ts";
import type { Clock } from "../../../functions/ports/index.ts";

/** The machine's time, of which a test may leap over any part: limits of minutes beside real servers. */
export function createLeapingClock(): Clock & { leap(ms: number): void } {
  let leaptMs = 0;
  const timers = new Set<{ start(): void; stop(): void }>();
  const monotonic = () => systemClock.monotonic() + leaptMs;
  return {
    now: () => systemClock.now(),
    monotonic,
    setTimer(delayMs, callback) {
      const dueMs = monotonic() + delayMs;
      let cancel = (): void => {};
      const timer = {
        start() {
          cancel = systemClock.setTimer(Math.max(0, dueMs - monotonic()), () => {
            timers.delete(timer);
            callback();
          });
        },
        stop: () => cancel(),
      };
      timers.add(timer);
      timer.start();
      return () => {
        timers.delete(timer);
        timer.stop();
      };
    },
    leap(ms) {
      leaptMs += ms;
      for (const timer of timers) {
        timer.stop();
        timer.start();
      }
    },
  };
}
