import { CLOCK_HEADER } from "../../../functions/contract/index.ts";
import type { Clock } from "../../../functions/ports/index.ts";

/** Between which values the offset lies, in milliseconds: our monotonic clock less the functions' wall clock. */
type Bounds = { least: number; most: number };

const UNKNOWN: Bounds = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY };

/** How long an observation counts at least, at most twice as long: clocks drift apart by milliseconds in this time. */
const WINDOW_MS = 300_000;

/**
 * What is known of the functions' clock against ours (S5). A message that is here was sent before, and an answer was given
 * after it was asked for: each bounds the offset from one side, and the narrowest bounds of the last minutes hold. Ours is
 * the monotonic clock, so that a step of our wall clock changes nothing.
 */
export class ClockOffset {
  readonly #clock: Clock;
  #current: Bounds = UNKNOWN;
  #previous: Bounds = UNKNOWN;
  #since: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.monotonic();
  }

  /** Something is here that the functions sent at `sentMs` by their clock. */
  received(sentMs: number): void {
    this.#narrow({ ...UNKNOWN, most: this.#clock.monotonic() - sentMs });
  }

  /** The functions answered what was asked at `askedAt` by our monotonic clock. */
  answered(askedAt: number, headers: Headers): void {
    const exact = headers.get(CLOCK_HEADER) ?? "";
    // Without ours, which a proxy's own answer has not, there is the standard's, in whole seconds.
    const [at, resolutionMs] = /^\d{1,15}$/.test(exact)
      ? [Number(exact), 1]
      : [Date.parse(headers.get("date") ?? ""), 1000];
    if (Number.isNaN(at)) return;
    this.#narrow({ least: askedAt - (at + resolutionMs), most: this.#clock.monotonic() - at });
  }

  /** The latest that an instant of the functions' clock can be on our monotonic one. */
  latest(functionsMs: number): number {
    return functionsMs + this.#bounds().most;
  }

  /** The earliest that it can be. Where no answer was seen yet, the clocks count as equal. */
  earliest(functionsMs: number): number {
    const { least } = this.#bounds();
    return functionsMs + (least === UNKNOWN.least ? this.#clock.monotonic() - this.#clock.now() : least);
  }

  #bounds(): Bounds {
    return both(this.#current, this.#previous);
  }

  #narrow(observed: Bounds): void {
    if (this.#clock.monotonic() - this.#since >= WINDOW_MS) {
      this.#previous = this.#current;
      this.#current = UNKNOWN;
      this.#since = this.#clock.monotonic();
    }
    const { least, most } = both(this.#bounds(), observed);
    if (least <= most) {
      this.#current = both(this.#current, observed);
    } else {
      // The functions' clock has stepped: what was seen before says nothing of it.
      this.#current = observed;
      this.#previous = UNKNOWN;
    }
  }
}

function both(a: Bounds, b: Bounds): Bounds {
  return { least: Math.max(a.least, b.least), most: Math.min(a.most, b.most) };
}
