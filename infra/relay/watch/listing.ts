import { emptied, expired, type Failure, healthy, isRefusal, proceed, trouble } from "./next.ts";
import { isOlder, newerOf } from "./version.ts";
import type { At, Stepped, Streamed, WatchEffect, WatchInput, WatchState } from "./watch.ts";

/**
 * The watch machine while it lists: as a stream that goes on as a watch, or in pages where the server does not offer that.
 * Whatever comes short of the whole list begins it anew, and nothing has vanished before its end (R2).
 * @module
 */

/** So many streaming lists in a row that did not come to their end are enough: pages may be of more use. */
export const MAX_UNENDED = 2;

export function isListing({ phase }: WatchState): boolean {
  return phase === "Empty" || phase === "InitPage" || phase === "InitialWatch";
}

export function page(state: WatchState, input: WatchInput & { is: "page" }, at: At): Stepped {
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
  const [ended, sweep] = end(seen, listVersion);
  const [next, more] = proceed({ ...ended, phase: "InitListed" }, at);
  return [next, [...effects, ...sweep, ...more]];
}

/** What a streaming list brings, up to the bookmark that ends it. */
export function initialEvent(state: WatchState, input: Streamed, at: At): Stepped {
  switch (input.is) {
    case "opened":
      return [healthy({ ...state, phase: "InitialWatch" }, at), []];
    case "event": {
      const { resourceVersion } = input.object.metadata;
      const seen = { ...state, cursor: newerOf(state.cursor ?? resourceVersion, resourceVersion) };
      // A change that comes before the end is a part of the list. What was before it may be any older state.
      if (input.type === "DELETED") return [seen, [{ do: "observe", type: "DELETED", object: input.object }]];
      return [seen, [{ do: "take", items: [input.object], list: state.list, all: state.distrust }]];
    }
    case "bookmark":
      return input.endsList ? initialEnd(state, input.resourceVersion, at) : [state, []];
    case "error":
      return listFailed(state, { status: input.code, message: input.message }, at);
    case "closed":
      return listFailed(state, { message: "the streaming list was closed before its end" }, at);
    case "silent":
      // As from a server that does not know of such lists, and took it for a watch of nothing old.
      return listFailed({ ...state, unended: MAX_UNENDED }, { message: "the streaming list did not go on" }, at);
    case "deadline":
      return listFailed(state, { message: "the streaming list did not end in time" }, at);
  }
}

/** The stream goes on as the watch. */
function initialEnd(state: WatchState, listVersion: string, at: At): Stepped {
  // Only its end tells the version of a streaming list, and this one was compared with versions that no longer count (R14).
  if (!state.distrust && state.cursor !== undefined && isOlder(listVersion, state.cursor))
    return proceed({ ...emptied(state, "restored"), distrust: true }, at);
  const [ended, effects] = end(state, listVersion);
  return [{ ...ended, phase: "Watching", error: undefined }, effects];
}

function end(state: WatchState, listVersion: string): Stepped {
  const effects: WatchEffect[] = [{ do: "sweep", list: state.list }];
  if (!state.attempted) effects.push({ do: "attempted" });
  const ended = {
    cursor: listVersion,
    pageToken: undefined,
    listVersion: undefined,
    distrust: false,
    suspect: false,
    refusals: 0,
    unended: 0,
    attempted: true,
  };
  return [{ ...state, ...ended }, effects];
}

export function listFailed(state: WatchState, failure: Failure, at: At): Stepped {
  const { status } = failure;
  if (state.task === "watch") {
    // Of an older server, one that was told not to, or one that lets us list and not watch.
    if (state.phase === "Empty" && status !== 410 && (status === 403 || isRefusal(status)))
      return proceed({ ...state, paged: true, relistCause: undefined }, at);
    const unended = state.unended + (state.phase === "InitialWatch" ? 1 : 0);
    const next = { ...state, unended, paged: unended >= MAX_UNENDED };
    return status === 410 ? expired(next, failure, at) : trouble(emptied(next, "unfinished"), failure, at);
  }
  if (status === 410) return expired(state, failure, at);
  // A continue token that is refused would be refused again; one page that fails is asked for again.
  if (state.phase === "InitPage" && !isRefusal(status)) return trouble(state, failure, at);
  return trouble(emptied(state, state.phase === "InitPage" ? "refused" : "unfinished"), failure, at);
}
