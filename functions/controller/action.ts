import { type Action, backoffMs, DEFAULT_BACKOFF } from "../contract/index.ts";
import { type Duration, toMs } from "./duration.ts";

/** An Action that looks at the object again after a time. */
export type RequeueAfter = Extract<Action, { requeueAfterMs: number }>;
/** An Action that waits for an event. */
export type AwaitChange = Extract<Action, { awaitChange: true }>;

/**
 * Reconcile again after this time, or sooner where something changes. For what must be polled; longer than 180 days is
 * cut to that (S9).
 * @throws TypeError or RangeError for what is no duration.
 * @example return requeueAfter("5m");
 */
export function requeueAfter(duration: Duration): RequeueAfter {
  return { requeueAfterMs: toMs(duration, "requeueAfter") };
}

/**
 * Reconcile again when something changes, not before.
 * @example return awaitChange();
 */
export function awaitChange(): AwaitChange {
  return { awaitChange: true };
}

/** How {@link exponential} grows. What is left out is as in the scheduler's own backoff: 1 s, × 2, to 15 min, 25 % jitter. */
export type ExponentialOptions = {
  base?: Duration;
  factor?: number;
  max?: Duration;
  /** How much of the delay chance adds or takes: 0 to 1. */
  jitter?: number;
};

/**
 * A delay that grows with each failure, for an error policy.
 * @param attempt failures before this one: 0 gives the base.
 * @throws RangeError for an attempt, factor or jitter out of range.
 * @example errorPolicy: (error, { attempt }) => requeueAfter(exponential(attempt, { max: "1h" }))
 */
export function exponential(attempt: number, options: ExponentialOptions = {}): Duration {
  const { factor = DEFAULT_BACKOFF.factor, jitter = DEFAULT_BACKOFF.jitter } = options;
  if (!Number.isInteger(attempt) || attempt < 0)
    throw new RangeError(`exponential: attempt must be a whole number, at least 0, not ${attempt}`);
  if (!(factor >= 1 && factor <= 10)) throw new RangeError(`exponential: factor must be 1 to 10, not ${factor}`);
  if (!(jitter >= 0 && jitter <= 1)) throw new RangeError(`exponential: jitter must be 0 to 1, not ${jitter}`);
  const baseMs = options.base === undefined ? DEFAULT_BACKOFF.baseMs : toMs(options.base, "exponential: base");
  const maxMs = options.max === undefined ? DEFAULT_BACKOFF.maxMs : toMs(options.max, "exponential: max");
  return { milliseconds: backoffMs({ baseMs, factor, maxMs, jitter }, attempt, Math.random()) };
}
