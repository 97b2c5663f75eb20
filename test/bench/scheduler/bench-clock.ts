import { systemClock } from "../../../adapters/runtime/system-clock.ts";
import type { Clock } from "../../../functions/ports/index.ts";

/** The machine's time, which a bench may be ahead or behind of. */
export class BenchClock implements Clock {
  readonly #aheadMs: number;
  #skippedMs = 0;

  /** @param aheadMs how far its wall clock is ahead of the machine's. */
  constructor(aheadMs = 0) {
    this.#aheadMs = aheadMs;
  }

  now(): number {
    return systemClock.now() + this.#aheadMs + this.#skippedMs;
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#skippedMs;
  }

  /** Timers take the machine's time: nothing that `skip` passes over comes earlier. */
  setTimer(delayMs: number, callback: () => void): () => void {
    return systemClock.setTimer(delayMs, callback);
  }

  /** So much time has passed. */
  skip(ms: number): void {
    this.#skippedMs += ms;
  }
}
