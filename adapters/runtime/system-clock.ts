import type { Clock } from "../../functions/ports/index.ts";

/** Timers of more than 2^31 - 1 ms fire at once on Node; a longer wait is taken in parts of this. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(delayMs, callback) {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (leftMs: number) => {
      const part = Math.min(leftMs, LONGEST_TIMER_MS);
      timer = setTimeout(() => (leftMs > part ? wait(leftMs - part) : callback()), part);
    };
    wait(Math.max(0, delayMs));
    return () => clearTimeout(timer);
  },
};
