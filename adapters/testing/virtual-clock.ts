import type { Clock } from "../../functions/ports/index.ts";

/** A clock that stands still until a test moves it. */
export interface VirtualClock extends Clock {
  /**
   * Moves both clocks on by `ms` and fires the timers that fall due, in order of their time, then of their setting. What
   * a timer sets off is settled before the next one fires; a timer set meanwhile fires too if it falls due.
   */
  advance(ms: number): Promise<void>;
  /** Steps the wall clock alone, in either direction, as an operator or NTP does. Fires nothing. */
  step(ms: number): void;
  /** Lets promises, in-process requests and signatures finish without time passing. */
  settle(): Promise<void>;
  /** Timers that were set and neither fired nor were cancelled: none after a clean stop. */
  readonly timers: number;
}

type Timer = { dueMs: number; callback: () => void };

/** Turns of the event loop, with nothing under way on other threads, that are taken as settled. */
const TURNS = 16;

/**
 * A clock for tests. To know what is settled it has `crypto.subtle` of this process count what is under way.
 * @param startMs wall clock, milliseconds since 1970.
 * @example
 * const clock = createVirtualClock(Date.UTC(2026, 0, 1));
 * clock.setTimer(1_000, () => log.push("a second later"));
 * await clock.advance(1_000);
 */
export function createVirtualClock(startMs: number): VirtualClock {
  let elapsedMs = 0;
  let offsetMs = startMs;
  countCrypto();
  const timers = new Set<Timer>();

  function earliest(untilMs: number): Timer | undefined {
    let found: Timer | undefined;
    for (const timer of timers) if (timer.dueMs <= untilMs && (!found || timer.dueMs < found.dueMs)) found = timer;
    return found;
  }

  return {
    now: () => offsetMs + elapsedMs,
    monotonic: () => elapsedMs,
    setTimer(delayMs, callback) {
      const timer = { dueMs: elapsedMs + Math.max(0, delayMs), callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(ms) {
      const untilMs = elapsedMs + ms;
      await settle();
      for (let timer = earliest(untilMs); timer; timer = earliest(untilMs)) {
        timers.delete(timer);
        elapsedMs = Math.max(elapsedMs, timer.dueMs);
        timer.callback();
        await settle();
      }
      elapsedMs = untilMs;
    },
    step(ms) {
      offsetMs += ms;
    },
    settle,
    get timers() {
      return timers.size;
    },
  };
}

async function settle(): Promise<void> {
  for (let quiet = 0; quiet < TURNS; quiet = underWay > 0 ? 0 : quiet + 1)
    await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Operations that are not finished: they run on other threads, and take as long as the machine likes. */
let underWay = 0;
let counting = false;

/** Has every virtual clock wait, as it settles, for what another thread does. @returns the same promise. */
export function settlesWith<T>(work: Promise<T>): Promise<T> {
  const finished = () => void underWay--;
  underWay++;
  work.then(finished, finished);
  return work;
}

/** Has `crypto.subtle` count what it does, for the whole process; it does the same as before. */
function countCrypto(): void {
  if (counting) return;
  counting = true;
  const { subtle } = crypto;
  for (const name of ["digest", "importKey", "sign", "verify"] as const) {
    const operation = subtle[name] as (...args: unknown[]) => Promise<unknown>;
    const counted = (...args: unknown[]): Promise<unknown> => settlesWith(operation.apply(subtle, args));
    Object.defineProperty(subtle, name, { value: counted, configurable: true });
  }
}
