import type { KubeObject } from "../../../functions/kube/resource.ts";
import { initialEvent, isListing, listFailed, page } from "./listing.ts";
import { proceed } from "./next.ts";
import { version, watchEvent, watchFailed } from "./watching.ts";

/**
 * One watch as a state machine (R1): `Empty → InitPage… | InitialWatch → InitListed → Watching`. Pure: it is told what
 * happened and answers what to do next, and exactly one thing is under way at a time.
 *
 * It lists, as a stream where the server offers that and in pages elsewhere, then watches from the list's version. A stream
 * that ends is resumed from the last version seen; only an expired version lists again. Where something is wrong it waits
 * longer each time.
 * @module
 */

/**
 * What is known: nothing, some pages of a list, some objects of a streaming list, a whole list, or that and a stream that
 * goes on from there.
 */
export type WatchPhase = "Empty" | "InitPage" | "InitialWatch" | "InitListed" | "Watching";

/**
 * Why a list was not the first: the version or the continue token had expired (410), the server refused to go on from there,
 * it went back in time (R14), the list before did not come to its end, or the kind cannot be watched.
 */
export type RelistCause = "expired" | "refused" | "restored" | "unfinished" | "unwatchable";

/**
 * Why a stream was not the first after a list: the one before ended, brought nothing for the idle limit, outlived its time,
 * brought an error, or was not answered with a stream.
 */
export type ReconnectCause = "closed" | "silent" | "deadline" | "error" | "failed";

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
  /** The server takes no streaming lists. */
  paged: boolean;
  /** Streaming lists in a row that did not come to their end. */
  unended: number;
  /** Why the next list or stream is needed, until it has begun and counts. */
  relistCause?: RelistCause | undefined;
  reconnectCause?: ReconnectCause | undefined;
  relistsByCause: Readonly<Record<RelistCause, number>>;
  reconnectsByCause: Readonly<Record<ReconnectCause, number>>;
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
  /** `endsList`: a streaming list is complete. */
  | { is: "bookmark"; resourceVersion: string; endsList?: boolean }
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
  /** These four replace what was under way. */
  | { do: "list"; continue?: string | undefined }
  | { do: "probe" }
  /** Without `from` a streaming list, which goes on as a watch. */
  | { do: "watch"; from?: string | undefined; timeoutSeconds: number }
  | { do: "wait"; ms: number }
  /** Compare a page with the records; `all`: take every object for changed. */
  | { do: "take"; items: readonly KubeObject[]; list: number; all: boolean }
  /** The list is complete: what it did not hold has vanished. */
  | { do: "sweep"; list: number }
  | { do: "observe"; type: WatchEventType; object: KubeObject }
  /** The first list has ended, or failed for the first time. */
  | { do: "attempted" };

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
  paged: false,
  unended: 0,
  relistsByCause: { expired: 0, refused: 0, restored: 0, unfinished: 0, unwatchable: 0 },
  reconnectsByCause: { closed: 0, silent: 0, deadline: 0, error: 0, failed: 0 },
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
export type At = { nowMs: number; random: number };
export type Stepped = [WatchState, WatchEffect[]];
export type Streamed = Exclude<WatchInput, { is: "start" | "waited" | "page" | "version" | "failed" }>;

/** What follows from an input. */
export function stepWatch(state: WatchState, input: WatchInput, at: At): Stepped {
  const { task } = state;
  switch (input.is) {
    case "start":
      return task === "none" ? proceed(state, at) : [state, []];
    case "waited":
      return task === "wait" ? proceed(state, at) : [state, []];
    case "page":
      return task === "list" ? page(state, input, at) : [state, []];
    case "version":
      return task === "probe" ? version(state, input.resourceVersion, at) : [state, []];
    case "failed":
      if (task === "none" || task === "wait") return [state, []];
      return isListing(state) ? listFailed(state, input, at) : watchFailed(state, input, "failed", at);
    default:
      if (task !== "watch") return [state, []];
      return isListing(state) ? initialEvent(state, input, at) : watchEvent(state, input, at);
  }
}
