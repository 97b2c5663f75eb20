import { applyPatch, type Operation, Pointer } from "rfc6902";
import { applyFields } from "../fields/apply.ts";
import { decodeManagers } from "../fields/managed-fields.ts";
import type { ApiRequest } from "../http/request.ts";
import { badRequest, conflict, notFound, StatusError } from "../http/status-error.ts";
import { isObject, type JsonObject } from "../json.ts";
import { apiVersionOf, type ServedKind } from "../kinds/served-kind.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { insert, type Written } from "./create.ts";
import { decodeFields, parseJson, parseYamlBody } from "./decode.ts";
import { mergePatch } from "./merge-patch.ts";
import { replace } from "./update.ts";
import type { World } from "./world.ts";
import { ignoredFields, trackUpdate, withManagers, withoutManagers, writerOf } from "./write.ts";
import { type WriteOptions, writeOptions } from "./write-options.ts";

const JSON_PATCH = "application/json-patch+json";
const MERGE_PATCH = "application/merge-patch+json";
const APPLY = "application/apply-patch+yaml";

export function patch(world: World, kind: ServedKind, request: ApiRequest): Written {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]!.trim();
  const options = writeOptions(request, "PatchOptions");
  if (type === APPLY) return apply(world, kind, request, options);
  if (type !== JSON_PATCH && type !== MERGE_PATCH) {
    const types = [JSON_PATCH, MERGE_PATCH, APPLY].join(", ");
    const message = `the body of the request was in an unknown format - accepted media types include: ${types}`;
    throw new StatusError(415, "UnsupportedMediaType", message, {});
  }
  const live = world.store.get(kind.resource, request.namespace, request.name!);
  if (!live) throw notFound(kind, request.name!);
  const body = parseJson(request.body);
  const raw = type === JSON_PATCH ? jsonPatch(live, body) : mergePatch(live, body);
  if (!isObject(raw)) throw badRequest("the patched object is no object");
  const next = decodeFields(raw, kind, options);
  checkName(next, live);
  const writer = writerOf(world, kind, options.fieldManager, "Update", request.subresource);
  const tracked = trackUpdate(live, next, kind, writer);
  return {
    status: 200,
    object: replace(world, kind, live, tracked, request.subresource, options),
    warnings: options.warnings,
  };
}

/** @throws StatusError 422 where an operation fails. */
function jsonPatch(live: StoredObject, operations: unknown): unknown {
  if (!Array.isArray(operations)) throw badRequest("a JSON patch is a list of operations");
  const document = structuredClone(live) as unknown;
  const failure = (operations as Operation[]).find(
    (operation) => !isAbsenceTest(document, operation) && applyPatch(document, [operation])[0] !== null,
  );
  if (failure) {
    const message = "the server rejected our request due to an error in our request";
    throw new StatusError(422, "Invalid", message, {});
  }
  return document;
}

/** The real server takes a path that is not there for null. */
function isAbsenceTest(document: unknown, operation: Operation): boolean {
  if (operation.op !== "test" || (operation.value ?? null) !== null) return false;
  return Pointer.fromJSON(operation.path).get(document) === undefined;
}

function checkName(next: StoredObject, live: StoredObject): void {
  if (next.metadata.name !== live.metadata.name) {
    throw badRequest(
      `the name of the object (${next.metadata.name}) does not match the name on the URL (${live.metadata.name})`,
    );
  }
}

/** Server-side apply; makes the object where there is none. */
function apply(world: World, kind: ServedKind, request: ApiRequest, options: WriteOptions): Written {
  if (!request.query.get("fieldManager")) {
    throw badRequest(
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    );
  }
  const raw = parseYamlBody(request.body);
  if (!isObject(raw) || raw.apiVersion !== apiVersionOf(kind) || raw.kind !== kind.kind) {
    throw badRequest(`the applied object must be a ${kind.kind} of ${apiVersionOf(kind)}`);
  }
  const name = request.name!;
  const live = world.store.get(kind.resource, request.namespace, name);
  if (!live && request.subresource) throw notFound(kind, name);
  const given: JsonObject = isObject(raw.metadata) ? raw.metadata : {};
  if (given.managedFields !== undefined) throw badRequest("metadata.managedFields must be nil");
  if (!live && given.uid) {
    const why = `uid mismatch: the provided object specified uid ${given.uid}, and no existing object was found`;
    throw conflict(kind, name, why);
  }
  const applied = withDefaultKeys({
    ...raw,
    metadata: { ...given, name, ...(request.namespace && { namespace: request.namespace }) },
  });
  const base = live
    ? withoutManagers(live)
    : ({ ...kind.zero, apiVersion: raw.apiVersion, kind: raw.kind } as StoredObject);
  const { object, managers } = applyFields(
    base,
    applied,
    decodeManagers(live?.metadata.managedFields),
    writerOf(world, kind, options.fieldManager, "Apply", request.subresource),
    { schema: kind.schema, ignored: ignoredFields(kind, request.subresource), force: options.force },
  );
  const next = withManagers(decodeFields(object, kind, options), managers);
  if (!live) return { status: 201, object: insert(world, kind, next, options), warnings: options.warnings };
  return {
    status: 200,
    object: replace(world, kind, live, next, request.subresource, options),
    warnings: options.warnings,
  };
}

function withDefaultKeys(object: JsonObject): JsonObject {
  return object;
}
