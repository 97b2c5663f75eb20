import type { ApiRequest } from "../http/request.ts";
import {
  badRequest,
  conflict,
  MODIFIED,
  notFound,
  plainError,
  refuseIfAny,
  type StatusCause,
} from "../http/status-error.ts";
import type { ServedKind } from "../kinds/served-kind.ts";
import { metadataCauses, metadataUpdateCauses } from "../metadata/validate.ts";
import { invalidValue } from "../schema/causes.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { insert, type Written } from "./create.ts";
import { decodeBody } from "./decode.ts";
import { removeIfReleased } from "./delete.ts";
import { inVersion } from "./present.ts";
import { settle } from "./settle.ts";
import type { World } from "./world.ts";
import { contextOf, isNewGeneration, isUnchanged, trackUpdate, writerOf } from "./write.ts";
import { type WriteOptions, writeOptions } from "./write-options.ts";

export function update(world: World, kind: ServedKind, request: ApiRequest): Written {
  const options = writeOptions(request, "UpdateOptions");
  const decoded = decodeBody(request, kind, options);
  checkPlace(decoded, request);
  const { namespace, subresource } = request;
  const name = request.name!;
  const next = { ...decoded, metadata: { ...decoded.metadata, ...(namespace && { namespace }) } };
  const live = liveObject(world, kind, request);
  const writer = writerOf(world, kind, options.fieldManager, "Update", subresource);
  if (!live) {
    if (!kind.createOnUpdate || subresource) throw notFound(kind, name);
    const tracked = trackUpdate(undefined, next, kind, writer);
    return { status: 201, object: insert(world, kind, tracked, options), warnings: options.warnings };
  }
  checkUid(kind, live, next);
  requireVersion(kind, next);
  const tracked = trackUpdate(live, next, kind, writer);
  const object = replace(world, kind, live, tracked, subresource, options);
  return { status: 200, object, warnings: options.warnings };
}

/** @throws StatusError 422 where an update of a custom resource does not say which version it is of. */
export function requireVersion(kind: ServedKind, { metadata }: StoredObject): void {
  if (metadata.resourceVersion || kind.unconditionalUpdate) return;
  const cause = invalidValue("metadata.resourceVersion", 0, "must be specified for an update");
  refuseIfAny({ group: kind.group, kind: kind.plural }, metadata.name, [cause]);
}

/** The object that a request names, in the version that it asks for; undefined where there is none. */
export function liveObject(world: World, kind: ServedKind, request: ApiRequest): StoredObject | undefined {
  const stored = world.store.get(kind.resource, request.namespace, request.name!);
  return stored && inVersion(stored, kind);
}

/** @throws StatusError 400 where the body names another object than the path. */
export function checkPlace({ metadata }: StoredObject, { name, namespace }: ApiRequest): void {
  if (metadata.namespace && namespace && metadata.namespace !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  if (!metadata.name) {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
}

/** @throws StatusError 409 where a whole object with another uid is given. */
function checkUid(kind: ServedKind, live: StoredObject, next: StoredObject): void {
  const [given, own] = [next.metadata.uid, live.metadata.uid];
  if (!given || given === own) return;
  const { name, namespace } = live.metadata;
  const place = kind.custom ? `${kind.group}/${kind.plural}` : kind.plural;
  const key = ["/registry", place, ...(namespace ? [namespace] : []), name].join("/");
  const failed = `Precondition failed: UID in precondition: ${given}, UID in object meta: ${own}`;
  const why = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${failed}`;
  throw conflict(kind, name, why);
}

/** @throws StatusError 422 where a custom resource has another kind than its CRD's. */
export function refuseOtherKind(kind: ServedKind, object: StoredObject): void {
  if (object.kind === kind.kind) return;
  const cause = invalidValue("kind", object.kind, `must be ${kind.kind}`);
  refuseIfAny({ group: kind.group, kind: object.kind }, object.metadata.name, [cause]);
}

/**
 * Stores the next version of an object; what does not change it writes nothing. An object that is being deleted and has no
 * finalizer left is removed.
 * @throws StatusError 409 where the resourceVersion is another, 500 where it is no number, 422.
 */
export function replace(
  world: World,
  kind: ServedKind,
  live: StoredObject,
  next: StoredObject,
  subresource: string | undefined,
  options: WriteOptions,
): StoredObject {
  const { name } = live.metadata;
  const { resourceVersion = "" } = next.metadata;
  if (!/^\d*$/.test(resourceVersion)) {
    throw plainError(`strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`);
  }
  if (next.metadata.resourceVersion && next.metadata.resourceVersion !== live.metadata.resourceVersion) {
    throw conflict(kind, name, MODIFIED);
  }
  const settled = settle(kind, live, next, subresource);
  const prepared = subresource ? settled : (kind.prepareUpdate?.(settled, live, contextOf(world)) ?? settled);
  const generation = isNewGeneration(kind, live, prepared) ? (live.metadata.generation ?? 0) + 1 : undefined;
  const numbered = generation ? { ...prepared, metadata: { ...prepared.metadata, generation } } : prepared;
  refuseOtherKind(kind, numbered);
  const given = subresource === "status" && kind.custom ? settled : next;
  refuseIfAny(kind.invalidAs ?? kind, name, updateCauses(kind, live, numbered, given, subresource));
  const final = kind.finish?.(numbered) ?? numbered;
  if (isUnchanged(live, final)) return live;
  if (options.dryRun) return final;
  const stored = kind.toStored?.(final) ?? final;
  return removeIfReleased(world, kind, stored) ?? world.store.put(kind.resource, stored);
}

/** The API server looks at the metadata twice, and names what it finds twice. */
function updateCauses(
  kind: ServedKind,
  live: StoredObject,
  next: StoredObject,
  given: StoredObject,
  subresource: string | undefined,
): StatusCause[] {
  const metadata = [...metadataCauses(next, kind), ...metadataUpdateCauses(given, live)];
  const own =
    subresource === "status" ? (kind.validateStatus ?? kind.validate)?.(next, live) : kind.validate?.(next, live);
  return [...metadata, ...metadata, ...(own ?? [])];
}
