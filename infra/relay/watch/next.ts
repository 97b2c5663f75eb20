import { type BackoffOptions, backoffMs } from "../../../functions/contract/index.ts";
import type { At, ReconnectCause, RelistCause, Stepped, WatchEffect, WatchState } from "./watch.ts";

/**
 * What the watch machine does next: at once, or after a wait that grows with every trouble.
 * @module
 */

/** client-go's numbers, and kube-rs': 800 ms to 30 s. */
export const WATCH_BACKOFF: BackoffOptions = { baseMs: 800, factor: 2, maxMs: 30_000, jitter: 0.25 };
/** After so long without trouble the backoff begins anew. */
export const HEALTHY_MS = 120_000;
/** The longest Retry-After that is honoured. */
export const MAX_RETRY_AFTER_MS = 300_000;

export type Failure = { status?: number | undefined; message: string; retryAfterMs?: number | undefined };

/** Begins what the state asks for next. */
export function proceed(state: WatchState, at: At): Stepped {
  const begun = { ...state, taskSinceMs: at.nowMs };
  // Between 4 and 5 minutes, so that the watches of many relays do not end together.
  const timeoutSeconds = 240 + Math.floor(at.random * 61);
  if (state.phase === "InitPage") return [{ ...begun, task: "list" }, [{ do: "list", continue: state.pageToken }]];
  if (state.phase === "Empty") {
    const { relistsByCause, relistCause } = state;
    const listing: WatchState = {
      ...begun,
      list: state.list + 1,
      relistsByCause: relistCause
        ? { ...relistsByCause, [relistCause]: relistsByCause[relistCause] + 1 }
        : relistsByCause,
      relistCause: undefined,
      reconnectCause: undefined,
    };
    return state.paged
      ? [{ ...listing, task: "list" }, [{ do: "list" }]]
      : [{ ...listing, task: "watch" }, [{ do: "watch", timeoutSeconds }]];
  }
  if (state.suspect) return [{ ...begun, task: "probe" }, [{ do: "probe" }]];
  const { reconnectsByCause, reconnectCause } = state;
  const watching: WatchState = {
    ...begun,
    task: "watch",
    reconnectsByCause: reconnectCause
      ? { ...reconnectsByCause, [reconnectCause]: reconnectsByCause[reconnectCause] + 1 }
      : reconnectsByCause,
    reconnectCause: undefined,
  };
  return [watching, [{ do: "watch", from: state.cursor, timeoutSeconds }]];
}

/** Goes on from the last version seen. */
export function resumed(state: WatchState, reconnectCause: ReconnectCause): WatchState {
  return { ...state, phase: "InitListed", reconnectCause };
}

/** Nothing that was listed counts any more; the records stay, for the next list to be compared with. */
export function emptied(state: WatchState, relistCause: RelistCause): WatchState {
  return {
    ...state,
    phase: "Empty",
    pageToken: undefined,
    listVersion: undefined,
    suspect: false,
    refusals: 0,
    relistCause,
  };
}

/** Waits before the next thing, longer each time; `atOnce`: this first time not at all. */
export function trouble(state: WatchState, failure: Failure, at: At, atOnce = false): Stepped {
  const failures = recovered(state, at) ? 0 : state.failures;
  const next: WatchState = {
    ...state,
    suspect: state.cursor !== undefined,
    attempted: true,
    failures: failures + 1,
    healthySinceMs: undefined,
    error: failure.message,
  };
  const effects: WatchEffect[] = state.attempted ? [] : [{ do: "attempted" }];
  if (atOnce) {
    const [after, more] = proceed(next, at);
    return [after, [...effects, ...more]];
  }
  const backoff = backoffMs(WATCH_BACKOFF, failures, at.random);
  const ms = Math.max(backoff, Math.min(failure.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
  return [{ ...next, task: "wait", taskSinceMs: at.nowMs }, [...effects, { do: "wait", ms }]];
}

/** An expired version or continue token: lists anew, the first time at once. */
export function expired(state: WatchState, failure: Failure, at: At): Stepped {
  return trouble(emptied(state, "expired"), failure, at, state.failures === 0 || recovered(state, at));
}

export function healthy(state: WatchState, at: At): WatchState {
  return state.healthySinceMs === undefined ? { ...state, healthySinceMs: at.nowMs } : state;
}

function recovered(state: WatchState, at: At): boolean {
  return state.healthySinceMs !== undefined && at.nowMs - state.healthySinceMs >= HEALTHY_MS;
}

/** An answer that the same question would get again. What asks for patience, for rights or for the kind to appear is none. */
export function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status < 500 && ![401, 403, 404, 408, 429].includes(status);
}
