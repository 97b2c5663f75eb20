import type { Shape } from "../http/negotiation.ts";
import type { ApiRequest } from "../http/request.ts";
import type { Matcher } from "../http/selectors.ts";
import { expired, invalid, type StatusError } from "../http/status-error.ts";
import type { JsonObject } from "../json.ts";
import { apiVersionOf, type ServedKind } from "../kinds/served-kind.ts";
import type { StoreEvent } from "../store/store.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { presentObject } from "./present.ts";
import { matcherOf } from "./read.ts";
import type { World } from "./world.ts";

/** How often a watch that asked for bookmarks gets one, milliseconds. The API server's own interval. */
const BOOKMARK_EVERY_MS = 60_000;

export type WatchEvent = { type: string; object: JsonObject };

/** The open watches of a server, so that a test can end them all. */
export type Watches = { open: Set<() => void>; expired: "event" | "status" };

/** Answers a watch: the lines of its stream. Ends at its timeout, with its client, or when the server disconnects. */
export function watch(
  world: World,
  kind: ServedKind,
  request: ApiRequest,
  shape: Shape,
  watches: Watches,
): ReadableStream<Uint8Array> {
  const { query, signal } = request;
  const { store, clock } = world;
  checkStreamingList(query);
  const matches = matcherOf(request, kind);
  const bookmarks = query.get("allowWatchBookmarks") === "true";
  const from = Number(query.get("resourceVersion") || 0);
  const encoder = new TextEncoder();
  const cleanups: (() => void)[] = [];
  if (from > 0 && from < store.compacted && watches.expired === "status" && !query.has("sendInitialEvents")) {
    throw tooOld(from, store.compacted);
  }
  const end = () => {
    for (const cleanup of cleanups.splice(0)) cleanup();
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (event: WatchEvent) => controller.enqueue(encoder.encode(`${JSON.stringify(event)}\n`));
      const close = () => {
        end();
        controller.close();
      };
      const present = (object: StoredObject) => presentObject(object, kind, shape, clock.now());
      const forward = (event: StoreEvent) => {
        const seen = eventFor(event, kind, matches);
        if (seen) send({ type: seen.type, object: present(seen.object) });
      };
      const bookmark = (annotations?: Record<string, string>) =>
        send({ type: "BOOKMARK", object: bookmarkOf(kind, shape, store.revision, annotations) });

      if (query.get("sendInitialEvents") === "true" || (from === 0 && !query.has("sendInitialEvents"))) {
        for (const object of store.list(kind.resource, request.namespace)) {
          if (matches(object)) send({ type: "ADDED", object: present(object) });
        }
        if (query.has("sendInitialEvents")) bookmark({ "k8s.io/initial-events-end": "true" });
      } else if (from > 0 && from < store.compacted) {
        send({ type: "ERROR", object: tooOld(from, store.compacted).body() });
        controller.close();
        return;
      } else if (from > 0) store.since(from).forEach(forward);

      cleanups.push(store.subscribe((event) => event.revision > from && forward(event)));
      watches.open.add(close);
      cleanups.push(() => watches.open.delete(close));
      signal.addEventListener("abort", close, { once: true });
      cleanups.push(() => signal.removeEventListener("abort", close));
      const timeoutSeconds = Number(query.get("timeoutSeconds") ?? 0);
      if (timeoutSeconds > 0) cleanups.push(clock.setTimer(timeoutSeconds * 1000, close));
      if (bookmarks) {
        let cancel = () => {};
        const arm = () => {
          cancel = clock.setTimer(BOOKMARK_EVERY_MS, () => {
            bookmark();
            arm();
          });
        };
        arm();
        cleanups.push(() => cancel());
      }
    },
    cancel: end,
  });
}

/** What a change is to a watch: an object that comes to match is new to it, one that no longer does is gone. */
function eventFor(event: StoreEvent, kind: ServedKind, matches: Matcher) {
  if (event.resource !== kind.resource) return undefined;
  const now = event.type !== "DELETED" && matches(event.object);
  const before = event.previous !== undefined && matches(event.previous);
  if (now) return { type: before ? "MODIFIED" : "ADDED", object: event.object };
  if (!before) return undefined;
  const { resourceVersion } = event.object.metadata;
  const last = event.type === "DELETED" ? event.object : event.previous!;
  return { type: "DELETED", object: { ...last, metadata: { ...last.metadata, resourceVersion } } };
}

function bookmarkOf(
  kind: ServedKind,
  shape: Shape,
  revision: number,
  annotations?: Record<string, string>,
): JsonObject {
  const metadata = { resourceVersion: String(revision), creationTimestamp: null, ...(annotations && { annotations }) };
  if (shape === "metadata") return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
  return { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata };
}

function tooOld(from: number, compacted: number): StatusError {
  return expired(`too old resource version: ${from} (${compacted})`);
}

/** @throws StatusError 422 where a streaming list is asked for without what it needs. */
function checkStreamingList(query: URLSearchParams): void {
  if (!query.has("sendInitialEvents") || query.get("resourceVersionMatch") === "NotOlderThan") return;
  const message = "Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
  throw invalid({ group: "meta.k8s.io", plural: "", kind: "ListOptions" }, "", [
    { reason: "FieldValueForbidden", message, field: "resourceVersionMatch" },
  ]);
}
