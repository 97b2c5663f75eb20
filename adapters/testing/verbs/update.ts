import type { ApiRequest } from "../http/request.ts";
import { badRequest, conflict, MODIFIED, notFound } from "../http/status-error.ts";
import type { ServedKind } from "../kinds/served-kind.ts";
import { invalidValue } from "../schema/validate.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { insert, type Written } from "./create.ts";
import { decode, parseYamlBody } from "./decode.ts";
import { removeIfReleased } from "./delete.ts";
import { metadataCauses, refuseIfAny } from "./metadata.ts";
import type { World } from "./world.ts";
import { contextOf, isNewGeneration, isUnchanged, trackUpdate, writerOf } from "./write.ts";
import { type WriteOptions, writeOptions } from "./write-options.ts";

export function update(world: World, kind: ServedKind, request: ApiRequest): Written {
  const options = writeOptions(request, "UpdateOptions");
  const decoded = decode(parseYamlBody(request.body), kind, options);
  checkPlace(decoded, request);
  const { namespace, subresource } = request;
  const name = request.name!;
  const next = { ...decoded, metadata: { ...decoded.metadata, name, ...(namespace && { namespace }) } };
  const live = world.store.get(kind.resource, namespace, name);
  const writer = writerOf(world, kind, options.fieldManager, "Update", subresource);
  if (!live) {
    if (!kind.createOnUpdate || subresource) throw notFound(kind, name);
    const tracked = trackUpdate(undefined, next, kind, writer);
    return { status: 201, object: insert(world, kind, tracked, options), warnings: options.warnings };
  }
  if (!next.metadata.resourceVersion && !kind.unconditionalUpdate) {
    refuseIfAny(kind, name, [invalidValue("metadata.resourceVersion", 0, "must be specified for an update")]);
  }
  const tracked = trackUpdate(live, next, kind, writer);
  return { status: 200, object: replace(world, kind, live, tracked, subresource, options), warnings: options.warnings };
}

/** @throws StatusError 400 where the body names another object than the path. */
function checkPlace({ metadata }: StoredObject, { name, namespace }: ApiRequest): void {
  if (metadata.namespace && namespace && metadata.namespace !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  if (metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name ?? ""}) does not match the name on the URL (${name})`);
  }
}

/**
 * Stores the next version of an object; what does not change it writes nothing. An object that is being deleted and has no
 * finalizer left is removed.
 * @throws StatusError 409 where the uid or resourceVersion is another, 422.
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
  if (next.metadata.resourceVersion && next.metadata.resourceVersion !== live.metadata.resourceVersion) {
    throw conflict(kind, name, MODIFIED);
  }
  if (next.metadata.uid && next.metadata.uid !== live.metadata.uid) {
    const [given, own] = [next.metadata.uid, live.metadata.uid];
    throw conflict(kind, name, `Precondition failed: UID in precondition: ${given}, UID in object meta: ${own}`);
  }
  const settled = settle(kind, live, next, subresource);
  const prepared = subresource ? settled : (kind.prepareUpdate?.(settled, live, contextOf(world)) ?? settled);
  const generation = isNewGeneration(kind, live, prepared) ? { generation: (live.metadata.generation ?? 0) + 1 } : {};
  const final = { ...prepared, metadata: { ...prepared.metadata, ...generation } };
  refuseIfAny(kind, name, [...metadataCauses(final, kind), ...(kind.validate?.(final, live) ?? [])]);
  if (isUnchanged(live, final)) return live;
  if (options.dryRun) return final;
  return removeIfReleased(world, kind, final) ?? world.store.put(kind.resource, final);
}

/** What only the API server sets, and what this endpoint does not write, as it was. */
function settle(
  kind: ServedKind,
  live: StoredObject,
  next: StoredObject,
  subresource: string | undefined,
): StoredObject {
  const own = live.metadata;
  const kept = {
    uid: own.uid,
    resourceVersion: own.resourceVersion,
    ...(own.creationTimestamp && { creationTimestamp: own.creationTimestamp }),
  };
  const metadata = { ...next.metadata, ...kept };
  for (const field of ["deletionTimestamp", "deletionGracePeriodSeconds", "generation", "generateName"] as const) {
    if (own[field] === undefined) delete metadata[field];
    else Object.assign(metadata, { [field]: own[field] });
  }
  if (subresource === "status") {
    const { managedFields } = metadata;
    if (kind.custom) {
      const merged = { ...own, ...(managedFields && { managedFields }) };
      const { status: _, ...rest } = live;
      return (
        next.status === undefined ? { ...rest, metadata: merged } : { ...rest, metadata: merged, status: next.status }
      ) as StoredObject;
    }
    return { ...live, metadata, status: next.status };
  }
  if (!kind.status) return { ...next, metadata };
  const { status: _, ...rest } = next;
  return { ...rest, metadata, ...(live.status !== undefined && { status: live.status }) } as StoredObject;
}
