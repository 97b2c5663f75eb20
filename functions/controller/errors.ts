import { type Duration, toMs } from "./duration.ts";

/**
 * Thrown by a reconcile: the failure is recorded, and the key waits for a change instead of a retry.
 * @example throw new TerminalError("spec.title must not be changed");
 */
export class TerminalError extends Error {
  override name = "TerminalError";
}

/**
 * Thrown by a reconcile: a failure that is retried after this time, whatever the error policy says.
 * @throws TypeError or RangeError for what is no duration.
 * @example throw new RetryAfterError("the registry is closed", "10m");
 */
export class RetryAfterError extends Error {
  override name = "RetryAfterError";
  readonly retryAfterMs: number;

  constructor(message: string, duration: Duration, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterMs = toMs(duration, "RetryAfterError");
  }
}
