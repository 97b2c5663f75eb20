import { type Asked, errorOf } from "../../../functions/kube/answer.ts";
import type { KubeObject } from "../../../functions/kube/resource.ts";
import type { KubeResponse } from "../../../functions/ports/index.ts";
import type { WatchInput } from "./watch.ts";

/**
 * What an API server answered, as the watch machine takes it. Nothing that is not wholly there becomes a list: a partial
 * one would look like deletions (R2).
 * @module
 */

/** On the bookmark that ends the initial events of a streaming list (KEP-3157). */
const ENDS_LIST = "k8s.io/initial-events-end";

/** One page of a list. */
export async function readPage(response: KubeResponse, asked: Asked): Promise<WatchInput & { is: "page" | "failed" }> {
  const failure = await failureOf(response, asked);
  if (failure) return failure;
  const body = (await response.json()) as {
    metadata?: { resourceVersion?: unknown; continue?: string };
    items?: unknown;
  } | null;
  const resourceVersion = body?.metadata?.resourceVersion;
  if (typeof resourceVersion !== "string" || resourceVersion === "")
    return { is: "failed", message: "the list has no metadata.resourceVersion" };
  // An empty list of a server in Go may be null.
  const items = body?.items === null ? [] : body?.items;
  if (!Array.isArray(items)) return { is: "failed", message: "the list has no items" };
  const stray = items.findIndex((item) => !isObject(item));
  if (stray >= 0) return { is: "failed", message: `items[${stray}] of the list has no name, uid or resourceVersion` };
  return { is: "page", items, resourceVersion, continue: body?.metadata?.continue };
}

/** A list of one, for the version of the server. */
export async function readVersion(response: KubeResponse, asked: Asked): Promise<WatchInput> {
  const page = await readPage(response, asked);
  return page.is === "page" ? { is: "version", resourceVersion: page.resourceVersion } : page;
}

/** One line of a watch. */
export function readEvent(line: string): WatchInput {
  let event: { type?: unknown; object?: unknown };
  try {
    event = JSON.parse(line) as typeof event;
  } catch {
    return { is: "error", code: 0, message: "a line of the watch is no JSON" };
  }
  const { type, object } = event;
  if (type === "ERROR") {
    const status = object as { code?: number; message?: string } | undefined;
    return { is: "error", code: status?.code ?? 0, message: status?.message ?? "an ERROR event without a status" };
  }
  if (type === "BOOKMARK") {
    const { resourceVersion, annotations } = (object as Partial<KubeObject> | undefined)?.metadata ?? {};
    return resourceVersion
      ? { is: "bookmark", resourceVersion, endsList: annotations?.[ENDS_LIST] === "true" }
      : { is: "error", code: 0, message: "a bookmark without a resourceVersion" };
  }
  if (type !== "ADDED" && type !== "MODIFIED" && type !== "DELETED")
    return { is: "error", code: 0, message: "a watch event of an unknown type" };
  if (!isObject(object))
    return { is: "error", code: 0, message: `a watch event ${type} without a name, uid or resourceVersion` };
  return { is: "event", type, object };
}

/** What stands in for an answer with a status other than 200, undefined for 200. */
export async function failureOf(
  response: KubeResponse,
  asked: Asked,
): Promise<(WatchInput & { is: "failed" }) | undefined> {
  if (response.status === 200) return undefined;
  const { status, message, retryAfterMs } = await errorOf(response, asked);
  return { is: "failed", status, message: `${status} ${message}`, retryAfterMs };
}

function isObject(value: unknown): value is KubeObject {
  const meta = (value as Partial<KubeObject> | null | undefined)?.metadata;
  return Boolean(meta?.name && meta.uid && meta.resourceVersion);
}
