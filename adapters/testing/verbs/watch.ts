import type { ApiRequest } from "../http/request.ts";
import { expired, type StatusError } from "../http/status-error.ts";
import type { JsonObject } from "../json.ts";
import type { ServedKind } from "../kinds/served-kind.ts";
import type { Matcher } from "../selectors/label-selector.ts";
import type { StoreEvent } from "../store/store.ts";
import { LineStream } from "./line-stream.ts";
import { type ListOptions, listOptions, watchRevision } from "./list-options.ts";
import type { Presenter } from "./present.ts";
import { matcherOf } from "./read.ts";
import type { World } from "./world.ts";

/** How often a watch that asked for bookmarks gets one, milliseconds. About the API server's own interval. */
const BOOKMARK_EVERY_MS = 60_000;

/** The open watches of a server, and in which form it says that a version is too old to watch from. */
export type Watches = { open: Set<() => void>; expired: "event" | "status" };

/** Answers a watch: the lines of its stream. Ends at its timeout, with its client, or when the server disconnects. */
export function watch(
  world: World,
  kind: ServedKind,
  request: ApiRequest,
  presenter: Presenter,
  watches: Watches,
): ReadableStream<Uint8Array> {
  const options = listOptions(request);
  const matches = matcherOf(request, kind);
  const from = watchRevision(options.resourceVersion);
  const tooOld = from > 0 && from < world.store.compacted && options.sendInitialEvents !== true;
  if (tooOld && watches.expired === "status") throw versionTooOld(from, world.store.compacted);

  const lines = new LineStream(request.signal, watches.open);
  const send = (type: string, object: JsonObject) => lines.send({ type, object });
  if (tooOld) {
    send("ERROR", versionTooOld(from, world.store.compacted).body());
    lines.close();
    return lines.stream;
  }
  const forward = (event: StoreEvent) => {
    const seen = eventFor(event, kind, matches);
    if (seen) send(seen.type, presenter.object(seen.object));
  };
  const bookmark = (annotations?: Record<string, string>) =>
    send("BOOKMARK", presenter.bookmark(world.store.revision, annotations));

  if (options.sendInitialEvents ?? from === 0) {
    for (const object of world.store.list(kind.resource, request.namespace)) {
      if (matches(object)) send("ADDED", presenter.object(object));
    }
    if (options.sendInitialEvents && options.bookmarks) bookmark({ "k8s.io/initial-events-end": "true" });
  } else if (from > 0) world.store.since(from).forEach(forward);
  lines.onClose(world.store.subscribe((event) => event.revision > from && forward(event)));
  setTimers(world, options, lines, bookmark);
  return lines.stream;
}

function setTimers({ clock }: World, options: ListOptions, lines: LineStream, bookmark: () => void): void {
  if (options.timeoutSeconds > 0) lines.onClose(clock.setTimer(options.timeoutSeconds * 1000, () => lines.close()));
  if (!options.bookmarks) return;
  let cancel = () => {};
  const arm = () => {
    cancel = clock.setTimer(BOOKMARK_EVERY_MS, () => {
      bookmark();
      arm();
    });
  };
  arm();
  lines.onClose(() => cancel());
}

/** What a change is to a watch: an object that comes to match is new to it, one that no longer does is gone. */
function eventFor(
  event: StoreEvent,
  kind: ServedKind,
  matches: Matcher,
): Pick<StoreEvent, "type" | "object"> | undefined {
  if (event.resource !== kind.resource) return undefined;
  const now = event.type !== "DELETED" && matches(event.object);
  const before = event.previous !== undefined && matches(event.previous);
  if (now) return { type: before ? "MODIFIED" : "ADDED", object: event.object };
  if (!before) return undefined;
  const { resourceVersion } = event.object.metadata;
  const last = event.previous!;
  return { type: "DELETED", object: { ...last, metadata: { ...last.metadata, resourceVersion } } };
}

function versionTooOld(from: number, compacted: number): StatusError {
  return expired(`too old resource version: ${from} (${compacted})`);
}
