import { SIGNATURE_TOLERANCE_SECONDS } from "../../../functions/contract/index.ts";
import type { Clock } from "../../../functions/ports/index.ts";

/** Most ids that are remembered, about 100 bytes each: 600 requests a second over the tolerance of a timestamp. */
export const MAX_IDS = 200_000;

/** The ids of requests for as long as their timestamps are not stale: within that time nothing else refuses a repetition. */
export class SeenIds {
  readonly #clock: Clock;
  /** Id to when it is forgotten, by the monotonic clock, in the order in which they came. */
  readonly #until = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Remembers an id. `repeated`: it is remembered already. `full`: there is no room, and nothing is forgotten for it. */
  add(id: string, sentMs: number): "new" | "repeated" | "full" {
    const now = this.#clock.monotonic();
    for (const [known, until] of this.#until) {
      if (until > now) break;
      this.#until.delete(known);
    }
    if (this.#until.has(id)) return "repeated";
    if (this.#until.size >= MAX_IDS) return "full";
    // One second more than is needed, against rounding.
    const fresh = sentMs - this.#clock.now() + (SIGNATURE_TOLERANCE_SECONDS + 1) * 1000;
    this.#until.set(id, now + fresh);
    return "new";
  }

  get size(): number {
    return this.#until.size;
  }
}
