import { type BackoffOptions, backoffMs } from "../../../functions/contract/index.ts";
import type { KubeObject } from "../../../functions/kube/resource.ts";
import { isOlder, newerOf } from "./version.ts";

/**
 * One watch as a state machine (R1): `Empty → InitPage… → InitListed → Watching`. Pure: it is told what happened and
 * answers what to do next, and exactly one thing is under way at a time.
 *
 * It lists in pages, then watches from the list's version. A stream that ends is resumed from the last version seen; only
 * an expired version lists again. Where something is wrong it waits longer each time.
 * @module
 */

/** What is known: nothing, some pages of a list, a whole list, or that and a stream that goes on from there. */
export type WatchPhase = "Empty" | "InitPage" | "InitListed" | "Watching";

export type WatchState = Readonly<{
  phase: WatchPhase;
  /** What is under way; inputs of anything else are ignored. */
  task: "none" | "list" | "probe" | "watch" | "wait";
  /** The newest version seen; once listed, everything up to it was seen. */
  cursor?: string | undefined;
  /** Counts lists, so that a record tells whether the newest one held it. */
  list: number;
  pageToken?: string | undefined;
  /** The version of the list's first page: it holds for all pages. */
  listVersion?: string | undefined;
  /** Trust no version seen so far: the API server went back in time (R14). */
  distrust: boolean;
  /** Ask for the server's version before watching again (R14). */
  suspect: boolean;
  /** Resumes in a row that the server answered with something unusable. */
  refusals: number;
  /** Whether the first list has ended, the stream of a resumed watch is open, or it failed for the first time. */
  attempted: boolean;
  failures: number;
  healthySinceMs?: number | undefined;
  taskSinceMs: number;
  relists: number;
  reconnects: number;
  /** What is wrong, until a stream is open again: a list alone may work where a watch does not. */
  error?: string | undefined;
}>;

export type WatchInput =
  | { is: "start" }
  | { is: "page"; items: readonly KubeObject[]; resourceVersion: string; continue?: string | undefined }
  /** The answer to a probe. */
  | { is: "version"; resourceVersion: string }
  /** The watch was answered with a stream. */
  | { is: "opened" }
  | { is: "event"; type: WatchEventType; object: KubeObject }
  | { is: "bookmark"; resourceVersion: string }
  /** An ERROR event, or a line that is none of Kubernetes'. */
  | { is: "error"; code: number; message: string }
  /** The stream ended, in whatever way. */
  | { is: "closed" }
  /** No byte for the idle limit. */
  | { is: "silent" }
  /** The stream outlived the time that it was asked for. */
  | { is: "deadline" }
  /** A list, probe or watch that was not answered with 200, or not readably. */
  | { is: "failed"; status?: number | undefined; message: string; retryAfterMs?: number | undefined }
  /** A wait is over. */
  | { is: "waited" };

export type WatchEventType = "ADDED" | "MODIFIED" | "DELETED";

export type WatchEffect =
  /** These five replace what was under way. */
  | { do: "list"; continue?: string | undefined }
  | { do: "probe" }
  | { do: "watch"; from: string; timeoutSeconds: number }
  | { do: "wait"; ms: number }
  /** Compare a page with the records; `all`: take every object for changed. */
  | { do: "take"; items: readonly KubeObject[]; list: number; all: boolean }
  /** The list is complete: what it did not hold has vanished. */
  | { do: "sweep"; list: number }
  | { do: "observe"; type: WatchEventType; object: KubeObject }
  /** The first list has ended, or failed for the first time. */
  | { do: "attempted" };

/** client-go's numbers, and kube-rs': 800 ms to 30 s. */
export const WATCH_BACKOFF: BackoffOptions = { baseMs: 800, factor: 2, maxMs: 30_000, jitter: 0.25 };
/** After so long without trouble the backoff begins anew. */
export const HEALTHY_MS = 120_000;
/** A stream that ends sooner is taken for trouble, so that it is not opened again at once. client-go's "very short watch". */
export const SHORT_WATCH_MS = 1_000;
/** The longest Retry-After that is honoured. */
export const MAX_RETRY_AFTER_MS = 300_000;

export const initialWatch: WatchState = {
  phase: "Empty",
  task: "none",
  list: 0,
  distrust: false,
  suspect: false,
  refusals: 0,
  attempted: false,
  failures: 0,
  taskSinceMs: 0,
  relists: 0,
  reconnects: 0,
};

/**
 * A watch that goes on where another process left it (R7): from a cursor up to which all was seen, or with a list. The server
 * may have gone back in time meanwhile, so it is asked for its version first (R14).
 */
export function resumedWatch(cursor: string | undefined, listed: boolean): WatchState {
  const phase = cursor !== undefined && listed ? "InitListed" : "Empty";
  return { ...initialWatch, phase, cursor, suspect: phase === "InitListed" };
}

/** @param random in [0, 1): spreads waits and the streams' ends. */
type At = { nowMs: number; random: number };
type Stepped = [WatchState, WatchEffect[]];

/** What follows from an input. */
export function stepWatch(state: WatchState, input: WatchInput, at: At): Stepped {
  switch (input.is) {
    case "start":
      return state.task === "none" ? proceed(state, at) : [state, []];
    case "waited":
      return state.task === "wait" ? proceed(state, at) : [state, []];
    case "page":
      return state.task === "list" ? page(state, input, at) : [state, []];
    case "version":
      return state.task === "probe" ? version(state, input.resourceVersion, at) : [state, []];
    case "failed":
      return state.task === "list" || state.task === "probe" || state.task === "watch"
        ? failed(state, input, at)
        : [state, []];
    default:
      return state.task === "watch" ? watching(state, input, at) : [state, []];
  }
}

type Streamed = Exclude<WatchInput, { is: "start" | "waited" | "page" | "version" | "failed" }>;

function watching(state: WatchState, input: Streamed, at: At): Stepped {
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
      return failed(state, { status: input.code, message: input.message }, at);
    case "silent":
      return proceed({ ...state, phase: "InitListed", suspect: true }, at);
    case "deadline":
      return proceed({ ...state, phase: "InitListed" }, at);
    case "closed":
      return at.nowMs - state.taskSinceMs < SHORT_WATCH_MS
        ? trouble({ ...state, phase: "InitListed" }, { message: "the watch was closed as soon as it was open" }, at)
        : proceed({ ...state, phase: "InitListed" }, at);
  }
}

function page(state: WatchState, input: WatchInput & { is: "page" }, at: At): Stepped {
  const listVersion = state.listVersion ?? input.resourceVersion;
  const distrust = state.distrust || (state.cursor !== undefined && isOlder(listVersion, state.cursor));
  const effects: WatchEffect[] = [{ do: "take", items: input.items, list: state.list, all: distrust }];
  const cursor = newerOf(state.cursor ?? listVersion, listVersion);
  const seen = healthy({ ...state, listVersion, distrust, cursor }, at);
  // An empty continue token means the same as none.
  if (input.continue) {
    const [next, more] = proceed({ ...seen, phase: "InitPage", pageToken: input.continue }, at);
    return [next, [...effects, ...more]];
  }
  effects.push({ do: "sweep", list: state.list });
  if (!state.attempted) effects.push({ do: "attempted" });
  const [next, more] = proceed(
    {
      ...seen,
      phase: "InitListed",
      cursor: listVersion,
      pageToken: undefined,
      listVersion: undefined,
      distrust: false,
      suspect: false,
      refusals: 0,
      attempted: true,
    },
    at,
  );
  return [next, [...effects, ...more]];
}

function version(state: WatchState, resourceVersion: string, at: At): Stepped {
  const seen = healthy({ ...state, suspect: false }, at);
  return isOlder(resourceVersion, state.cursor!)
    ? proceed({ ...emptied(seen), distrust: true }, at)
    : proceed(seen, at);
}

function failed(state: WatchState, failure: Failure, at: At): Stepped {
  const phase = state.phase === "Watching" ? "InitListed" : state.phase;
  if (failure.status === 410) return trouble(emptied(state), failure, at, state.failures === 0 || recovered(state, at));
  if (state.task === "list")
    // A continue token that is refused would be refused again.
    return trouble(
      phase === "InitPage" && isRefusal(failure.status) ? emptied(state) : { ...state, phase },
      failure,
      at,
    );
  if (state.task === "probe") return trouble({ ...state, phase }, failure, at);
  const refusals = state.refusals + (isRefusal(failure.status) ? 1 : 0);
  // What cannot be resumed from here twice never will be.
  if (refusals >= 2) return trouble(emptied(state), failure, at);
  return trouble({ ...state, phase, refusals }, failure, at);
}

type Failure = { status?: number | undefined; message: string; retryAfterMs?: number | undefined };

/** Waits before the next thing, longer each time; `atOnce`: this first time not at all. */
function trouble(state: WatchState, failure: Failure, at: At, atOnce = false): Stepped {
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

/** Begins what the state asks for next. */
function proceed(state: WatchState, at: At): Stepped {
  const begun = { ...state, taskSinceMs: at.nowMs };
  if (state.phase === "InitPage") return [{ ...begun, task: "list" }, [{ do: "list", continue: state.pageToken }]];
  if (state.phase === "Empty") {
    const relists = state.relists + (state.list > 0 ? 1 : 0);
    return [{ ...begun, task: "list", list: state.list + 1, relists }, [{ do: "list" }]];
  }
  if (state.suspect) return [{ ...begun, task: "probe" }, [{ do: "probe" }]];
  // Between 4 and 5 minutes, so that the watches of many relays do not end together.
  const timeoutSeconds = 240 + Math.floor(at.random * 61);
  const reconnects = state.reconnects + (state.task === "list" ? 0 : 1);
  return [{ ...begun, task: "watch", reconnects }, [{ do: "watch", from: state.cursor!, timeoutSeconds }]];
}

/** Nothing that was listed counts any more; the records stay, for the next list to be compared with. */
function emptied(state: WatchState): WatchState {
  return {
    ...state,
    phase: "Empty",
    pageToken: undefined,
    listVersion: undefined,
    suspect: false,
    refusals: 0,
  };
}

function healthy(state: WatchState, at: At): WatchState {
  return state.healthySinceMs === undefined ? { ...state, healthySinceMs: at.nowMs } : state;
}

function recovered(state: WatchState, at: At): boolean {
  return state.healthySinceMs !== undefined && at.nowMs - state.healthySinceMs >= HEALTHY_MS;
}

/** An answer that the same question would get again. What asks for patience, for rights or for the kind to appear is none. */
function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status < 500 && ![401, 403, 404, 408, 429].includes(status);
}
