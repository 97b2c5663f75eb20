import type { ObjectMeta } from "../../../functions/kube/resource.ts";
import type { ApiRequest } from "../http/request.ts";
import { alreadyExists, badRequest, forbidden, methodNotAllowed, notFound } from "../http/status-error.ts";
import type { ServedKind } from "../kinds/served-kind.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { decode, parseYamlBody } from "./decode.ts";
import { metadataCauses, refuseIfAny } from "./metadata.ts";
import { timestamp, type World } from "./world.ts";
import { contextOf, trackUpdate, writerOf } from "./write.ts";
import { type WriteOptions, writeOptions } from "./write-options.ts";

export type Written = { status: number; object: StoredObject; warnings: readonly string[] };

export function create(world: World, kind: ServedKind, request: ApiRequest): Written {
  if (request.subresource) throw methodNotAllowed();
  const options = writeOptions(request, "CreateOptions");
  const decoded = decode(parseYamlBody(request.body), kind, options);
  const { name, generateName, resourceVersion } = decoded.metadata;
  const metadata = { ...decoded.metadata, ...namespaceOf(decoded.metadata, kind, request) };
  if (resourceVersion) throw badRequest("resourceVersion should not be set on objects to be created");
  const object = { ...decoded, metadata: { ...metadata, name: name || generatedName(world, generateName) } };
  const tracked = trackUpdate(undefined, object, kind, writerOf(world, kind, options.fieldManager, "Update"));
  return { status: 201, object: insert(world, kind, tracked, options), warnings: options.warnings };
}

function namespaceOf(metadata: ObjectMeta, kind: ServedKind, { namespace }: ApiRequest): { namespace?: string } {
  if (!kind.namespaced) return {};
  if (namespace === undefined) throw methodNotAllowed();
  if (metadata.namespace && metadata.namespace !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  return { namespace };
}

function generatedName(world: World, prefix: string | undefined): string {
  return prefix ? `${prefix}${world.newUid().replaceAll("-", "").slice(-5)}` : "";
}

/**
 * Stores a new object: sets what the API server sets, prepares and validates it.
 * @throws StatusError 404 without its namespace, 403 where that is being deleted, 409 where the name is taken, 422.
 */
export function insert(world: World, kind: ServedKind, object: StoredObject, options: WriteOptions): StoredObject {
  const {
    deletionTimestamp: _,
    deletionGracePeriodSeconds: __,
    selfLink: ___,
    ...given
  } = object.metadata as ObjectMeta & {
    selfLink?: string;
  };
  const metadata: ObjectMeta = {
    ...given,
    uid: world.newUid(),
    creationTimestamp: timestamp(world.clock.now()),
  };
  if (kind.generation === "none") delete metadata.generation;
  else metadata.generation = 1;
  const prepared = kind.prepareCreate?.({ ...object, metadata }, contextOf(world)) ?? { ...object, metadata };
  checkNamespace(world, kind, metadata);
  refuseIfAny(kind, metadata.name || metadata.generateName || "", [
    ...metadataCauses(prepared, kind),
    ...(kind.validate?.(prepared, undefined) ?? []),
  ]);
  if (world.store.get(kind.resource, metadata.namespace, metadata.name)) throw alreadyExists(kind, metadata.name);
  return options.dryRun ? prepared : world.store.put(kind.resource, prepared);
}

function checkNamespace(world: World, kind: ServedKind, { namespace, name }: ObjectMeta): void {
  if (!kind.namespaced || !namespace) return;
  const owner = world.store.get("namespaces", undefined, namespace);
  if (!owner) throw notFound({ group: "", plural: "namespaces", kind: "Namespace" }, namespace);
  if (!owner.metadata.deletionTimestamp) return;
  throw forbidden(kind, name, `unable to create new content in namespace ${namespace} because it is being terminated`, [
    {
      reason: "NamespaceTerminating",
      message: `namespace ${namespace} is being terminated`,
      field: "metadata.namespace",
    },
  ]);
}
