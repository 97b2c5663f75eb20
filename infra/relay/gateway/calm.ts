import type { Clock } from "../../../functions/ports/index.ts";
import { createPause } from "../pause.ts";

/** The longest that a run is likely to be silent between two requests. */
export const CALM_MS = 300;

/** Whether runs are likely to be under way: they show by what they ask. */
export class Calm {
  readonly #clock: Clock;
  #underWay = 0;
  #endedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a request until its answer begins. */
  async during<T>(request: Promise<T>): Promise<T> {
    this.#underWay++;
    try {
      return await request;
    } finally {
      this.#underWay--;
      this.#endedAt = this.#clock.monotonic();
    }
  }

  /** Resolves when nothing has been asked for {@link CALM_MS}, or after `limitMs`. */
  async wait(limitMs: number): Promise<void> {
    const until = this.#clock.monotonic() + limitMs;
    const pause = createPause(this.#clock);
    for (;;) {
      const now = this.#clock.monotonic();
      const calmAt = this.#underWay > 0 ? now + CALM_MS : this.#endedAt + CALM_MS;
      const waitMs = Math.min(calmAt, until) - now;
      if (waitMs <= 0) return;
      await pause.wait(waitMs);
    }
  }
}
