import type { Clock } from "../../../functions/ports/index.ts";
import { createPause } from "../pause.ts";

/** How long a request waits at most for the first manifest, its deadline permitting. */
export const MAX_OPENING_MS = 5_000;

/**
 * What a gateway waits for before it can allow anything. It comes within moments of the relay's start, and a run that was under
 * way over a restart of the relay shall not fail for it.
 */
export class Opening {
  readonly #clock: Clock;
  readonly #opened = Promise.withResolvers<void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  open(): void {
    this.#opened.resolve();
  }

  /** Resolves when it was opened, or waiting is of no use any more: at `deadlineAt` of the monotonic clock, or the client's end. */
  async wait({ deadlineAt, signal }: { deadlineAt: number; signal: AbortSignal }): Promise<void> {
    const pause = createPause(this.#clock);
    const waitMs = Math.min(MAX_OPENING_MS, deadlineAt - this.#clock.monotonic());
    signal.addEventListener("abort", pause.cut, { once: true });
    await Promise.race([this.#opened.promise, pause.wait(Math.max(0, waitMs))]);
    signal.removeEventListener("abort", pause.cut);
    pause.cut();
  }
}
