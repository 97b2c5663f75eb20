import { emptied, expired, type Failure, healthy, isRefusal, proceed, resumed, trouble } from "./next.ts";
import { isOlder, newerOf } from "./version.ts";
import type { At, ReconnectCause, Stepped, Streamed, WatchState } from "./watch.ts";

/**
 * The watch machine once it has listed: a stream from the last version seen, resumed as long as that is possible.
 * @module
 */

/** A stream that ends sooner is taken for trouble, so that it is not opened again at once. client-go's "very short watch". */
export const SHORT_WATCH_MS = 1_000;
/** How often a kind that cannot be watched is listed. */
export const POLL_MS = 60_000;

export function watchEvent(state: WatchState, input: Streamed, at: At): Stepped {
  switch (input.is) {
    case "opened":
      return [
        healthy({ ...state, phase: "Watching", error: undefined, attempted: true }, at),
        state.attempted ? [] : [{ do: "attempted" }],
      ];
    case "event":
      return [
        { ...state, cursor: newerOf(state.cursor!, input.object.metadata.resourceVersion), refusals: 0 },
        [{ do: "observe", type: input.type, object: input.object }],
      ];
    case "bookmark":
      return [{ ...state, cursor: newerOf(state.cursor!, input.resourceVersion), refusals: 0 }, []];
    case "error":
      return watchFailed(state, { status: input.code, message: input.message }, "error", at);
    case "silent":
      return proceed({ ...resumed(state, "silent"), suspect: true }, at);
    case "deadline":
      return proceed(resumed(state, "deadline"), at);
    case "closed":
      return at.nowMs - state.taskSinceMs < SHORT_WATCH_MS
        ? trouble(resumed(state, "closed"), { message: "the watch was closed as soon as it was open" }, at)
        : proceed(resumed(state, "closed"), at);
  }
}

/** The version of the server itself, asked where the silence of a watch may have a reason (R14). */
export function version(state: WatchState, resourceVersion: string, at: At): Stepped {
  const seen = healthy({ ...state, suspect: false }, at);
  return isOlder(resourceVersion, state.cursor!)
    ? proceed({ ...emptied(seen, "restored"), distrust: true }, at)
    : proceed(seen, at);
}

export function watchFailed(state: WatchState, failure: Failure, cause: ReconnectCause, at: At): Stepped {
  const { status, message } = failure;
  if (status === 410) return expired(state, failure, at);
  if (state.task === "probe") return trouble(state, failure, at);
  if (status === 405) {
    const retryAfterMs = Math.max(POLL_MS, failure.retryAfterMs ?? 0);
    const polled = `cannot be watched, listed every ${POLL_MS / 1_000} s: ${message}`;
    return trouble(emptied(state, "unwatchable"), { message: polled, retryAfterMs }, at);
  }
  const refusals = state.refusals + (isRefusal(status) ? 1 : 0);
  // What cannot be resumed from here twice never will be.
  if (refusals >= 2) return trouble(emptied(state, "refused"), failure, at);
  return trouble({ ...resumed(state, cause), refusals }, failure, at);
}
