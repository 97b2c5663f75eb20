import type { ApiRequest } from "../http/request.ts";
import { badRequest, expired, notFound, type StatusError } from "../http/status-error.ts";
import type { JsonObject } from "../json.ts";
import type { ServedKind } from "../kinds/served-kind.ts";
import { fieldMatcher } from "../selectors/field-selector.ts";
import { labelMatcher, type Matcher } from "../selectors/label-selector.ts";
import { keyOf, type StoredObject } from "../store/stored-object.ts";
import { type ContinueToken, decodeContinue, encodeContinue } from "./continue-token.ts";
import { listOptions, readableRevision } from "./list-options.ts";
import type { World } from "./world.ts";

/** @param asOf answers as it was right after this revision, for tests of stale reads. */
export function get(world: World, kind: ServedKind, request: ApiRequest, asOf?: number): StoredObject {
  const { namespace, name } = request;
  readableRevision(world, request.query.get("resourceVersion") ?? "", false);
  const object =
    asOf === undefined
      ? world.store.get(kind.resource, namespace, name!)
      : world.store.listAt(asOf, kind.resource, namespace).find(({ metadata }) => metadata.name === name);
  if (!object) throw notFound(kind, name!);
  return object;
}

/** The test of a request's namespace, labels and fields. */
export function matcherOf({ query, namespace }: ApiRequest, kind: ServedKind): Matcher {
  const label = labelMatcher(query.get("labelSelector") ?? "");
  const field = fieldMatcher(query.get("fieldSelector") ?? "", kind);
  return (object) =>
    (namespace === undefined || object.metadata.namespace === namespace) && label(object) && field(object);
}

export type Listed = { objects: StoredObject[]; metadata: JsonObject };

/** Answers a list, in pages where a limit is given. */
export function list(world: World, kind: ServedKind, request: ApiRequest, asOf?: number): Listed {
  const { store } = world;
  const { query, namespace } = request;
  const matches = matcherOf(request, kind);
  const options = listOptions(request);
  const { resourceVersion } = options;
  // What is answered from the watch cache, as a list of any version is, comes whole.
  const limit = resourceVersion === "0" ? 0 : options.limit;
  const isPaged = limit > 0 || request.verb === "deletecollection";
  if (options.continue && resourceVersion) {
    throw badRequest("specifying resource version is not allowed when using continue");
  }
  const token = options.continue ? decodeContinue(options.continue) : undefined;
  const asked = readableRevision(world, resourceVersion, true);
  const exact = options.match === "Exact" || (isPaged && asked > 0 && options.match === "");
  const wanted = asOf ?? token?.revision ?? (exact ? asked : -1);
  const revision = wanted === -1 ? store.revision : wanted;
  if (revision < store.compacted) throw tooOld(token);
  const all =
    revision === store.revision
      ? store.list(kind.resource, namespace)
      : store.listAt(revision, kind.resource, namespace);
  const rest = all.filter((object) => (!token || keyOf(object) > token.after) && matches(object));
  const objects = limit > 0 ? rest.slice(0, limit) : rest;
  const metadata: JsonObject = { resourceVersion: String(revision) };
  const remaining = rest.length - objects.length;
  if (remaining > 0) metadata.continue = encodeContinue({ revision, after: keyOf(objects.at(-1)!) });
  if (remaining > 0 && !query.get("labelSelector") && !query.get("fieldSelector"))
    metadata.remainingItemCount = remaining;
  return { objects, metadata };
}

function tooOld(token: ContinueToken | undefined): StatusError {
  if (!token) return expired("The resourceVersion for the provided list is too old.");
  const message =
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";
  return expired(message, { continue: encodeContinue({ revision: -1, after: token.after }) });
}
