import { RetryAfterError, TerminalError } from "./errors.ts";
import { checkedAction } from "./lifecycle.ts";

/** What becomes of a failed run. Without a delay the scheduler's backoff decides (S7). */
export type Verdict = { outcome: "terminal" } | { outcome: "error"; retryAfterMs?: number };

/**
 * Judges a failure by its error, then by the policy.
 * @param policy the controller's, with the failure filled in; absent where there is none, or where the run does not count.
 * @param onNonsense told of a policy that throws or returns no Action: the default backoff decides then.
 */
export function judge(
  error: unknown,
  policy: (() => unknown) | undefined,
  onNonsense: (error: unknown) => void,
): Verdict {
  if (error instanceof TerminalError) return { outcome: "terminal" };
  if (error instanceof RetryAfterError) return { outcome: "error", retryAfterMs: error.retryAfterMs };
  if (!policy) return { outcome: "error" };
  try {
    const answer = policy();
    if (answer instanceof Promise) answer.catch(() => {}); // an async policy is nonsense, and must not end the process
    const action = checkedAction(answer, "errorPolicy");
    return "requeueAfterMs" in action
      ? { outcome: "error", retryAfterMs: action.requeueAfterMs }
      : { outcome: "terminal" };
  } catch (cause) {
    onNonsense(cause);
    return { outcome: "error" };
  }
}
