import type { ReconcileAnswer, ReconcileRequest } from "../contract/index.ts";

/** How the scheduler reaches the functions: in process, by a platform's loopback, or over signed HTTP. */
export interface Invoker {
  /**
   * Runs one key once. Any other rejection than a refusal, or an answer that does not parse, is a run that the scheduler
   * could not complete (S6), and counts as a failure of the key.
   * @throws InvocationRefused when the function would not take the run: its trouble, not the key's (S8).
   */
  invoke(request: ReconcileRequest): Promise<ReconcileAnswer>;
}

/** How a function refused a run (S8). */
export type Refusal = {
  /** 429, 503, 401 for a bad signature, 404 for an unknown route; absent where there was no answer at all. */
  readonly status?: number;
  /** What its Retry-After asks for, in milliseconds. */
  readonly retryAfterMs?: number;
  /** False where the connection was refused, so that no function can have received the request. */
  readonly sent: boolean;
  /** Whether the answer carries our own body: then our own code wrote it, before it ran anything. */
  readonly ours: boolean;
};

/**
 * An invoker throws it when the function would not take a run: 429, 503, a refused connection, a bad signature, a 404 of
 * the route. The scheduler pauses the function's controller and restores the key's entry.
 * @example throw new InvocationRefused("the function is busy", { status: 503, retryAfterMs: 2_000, sent: true, ours: true });
 */
export class InvocationRefused extends Error implements Refusal {
  override readonly name = "InvocationRefused";
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly sent: boolean;
  readonly ours: boolean;

  constructor(message: string, refusal: Refusal) {
    super(message);
    if (refusal.status !== undefined) this.status = refusal.status;
    if (refusal.retryAfterMs !== undefined) this.retryAfterMs = refusal.retryAfterMs;
    this.sent = refusal.sent;
    this.ours = refusal.ours;
  }
}
