import type { Shape } from "../http/negotiation.ts";
import type { ApiRequest } from "../http/request.ts";
import { fieldMatcher, labelMatcher, type Matcher } from "../http/selectors.ts";
import { badRequest, expired, notFound, StatusError } from "../http/status-error.ts";
import type { JsonObject } from "../json.ts";
import type { ServedKind } from "../kinds/served-kind.ts";
import { keyOf } from "../store/stored-object.ts";
import { decodeContinue, encodeContinue } from "./continue-token.ts";
import { presentList, presentObject } from "./present.ts";
import type { World } from "./world.ts";

/** Answers a GET of one object. */
export function get(world: World, kind: ServedKind, request: ApiRequest, shape: Shape, asOf?: number): JsonObject {
  const { namespace, name } = request;
  checkNotInFuture(world, request.query.get("resourceVersion"));
  const object =
    asOf === undefined
      ? world.store.get(kind.resource, namespace, name!)
      : world.store.listAt(asOf, kind.resource, namespace).find((other) => other.metadata.name === name);
  if (!object) throw notFound(kind, name!);
  return presentObject(object, kind, shape, world.clock.now());
}

/** The test of a request's namespace, labels and fields. */
export function matcherOf(request: ApiRequest, kind: ServedKind): Matcher {
  const label = labelMatcher(request.query.get("labelSelector") ?? "");
  const field = fieldMatcher(request.query.get("fieldSelector") ?? "", kind);
  const { namespace, name } = request;
  return (object) =>
    (namespace === undefined || object.metadata.namespace === namespace) &&
    (name === undefined || object.metadata.name === name) &&
    label(object) &&
    field(object);
}

/** Answers a list, in pages where a limit is given. */
export function list(world: World, kind: ServedKind, request: ApiRequest, shape: Shape, asOf?: number): JsonObject {
  const { query, namespace } = request;
  const { store } = world;
  const resourceVersion = query.get("resourceVersion") ?? "";
  checkNotInFuture(world, resourceVersion);
  const limit = Number(query.get("limit") ?? 0);
  const token = query.get("continue") ? decodeContinue(query.get("continue")!) : undefined;
  const exact = query.get("resourceVersionMatch") === "Exact" || (limit > 0 && Number(resourceVersion) > 0);
  const wanted = asOf ?? token?.revision ?? (exact ? Number(resourceVersion) : undefined);
  const revision = wanted === undefined || wanted === -1 ? store.revision : wanted;
  if (revision < store.compacted) throw tooOld(token, store.revision);
  const all =
    revision === store.revision
      ? store.list(kind.resource, namespace)
      : store.listAt(revision, kind.resource, namespace);
  const matches = matcherOf(request, kind);
  const rest = all.filter((object) => (!token || keyOf(object) > token.after) && matches(object));
  const page = limit > 0 ? rest.slice(0, limit) : rest;
  const metadata: JsonObject = { resourceVersion: String(revision) };
  const remaining = rest.length - page.length;
  if (remaining > 0) {
    metadata.continue = encodeContinue({ revision, after: keyOf(page.at(-1)!) });
    if (!query.get("labelSelector") && !query.get("fieldSelector")) metadata.remainingItemCount = remaining;
  }
  return presentList(page, kind, shape, metadata, world.clock.now());
}

function tooOld(token: { after: string } | undefined, revision: number): StatusError {
  if (!token) return expired("The resourceVersion for the provided list is too old.");
  const message =
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";
  void revision;
  return expired(message, { continue: encodeContinue({ revision: -1, after: token.after }) });
}

/** @throws StatusError 504 for a version that is still to come, 400 for what is no version. */
export function checkNotInFuture(world: World, resourceVersion: string | null): void {
  if (!resourceVersion) return;
  if (!/^\d+$/.test(resourceVersion)) throw badRequest(`Invalid value: ${JSON.stringify(resourceVersion)}`);
  if (Number(resourceVersion) <= world.store.revision) return;
  const message = `Timeout: Too large resource version: ${resourceVersion}, current: ${world.store.revision}`;
  throw new StatusError(504, "Timeout", message, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });
}
