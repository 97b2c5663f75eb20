import type { ObjectMeta } from "../../../functions/kube/resource.ts";
import type { ApiRequest } from "../http/request.ts";
import {
  alreadyExists,
  badRequest,
  forbidden,
  methodNotAllowed,
  notFound,
  plainError,
  refuseIfAny,
} from "../http/status-error.ts";
import type { ServedKind } from "../kinds/served-kind.ts";
import { metadataCauses } from "../metadata/validate.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { decodeBody } from "./decode.ts";
import { refuseOtherKind } from "./update.ts";
import { timestamp, type World } from "./world.ts";
import { contextOf, trackUpdate, writerOf } from "./write.ts";
import { type WriteOptions, writeOptions } from "./write-options.ts";

export type Written = { status: number; object: StoredObject; warnings: readonly string[] };

/** The letters of generated names: none that could make a word. As the API server's. */
const SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

export function create(world: World, kind: ServedKind, request: ApiRequest): Written {
  const options = writeOptions(request, "CreateOptions");
  const decoded = decodeBody(request, kind, options);
  const { name, generateName } = decoded.metadata;
  const place = placeOf(decoded.metadata, kind, request);
  const metadata = { ...decoded.metadata, ...place, name: name || generatedName(world, generateName) };
  if (!kind.namespaced) delete metadata.namespace;
  const object = withoutServerFields({ ...decoded, metadata });
  const tracked = trackUpdate(undefined, object, kind, writerOf(world, kind, options.fieldManager, "Update"));
  return { status: 201, object: insert(world, kind, tracked, options), warnings: options.warnings };
}

function placeOf(metadata: ObjectMeta, kind: ServedKind, { namespace }: ApiRequest): { namespace?: string } {
  if (!kind.namespaced) return {};
  if (namespace === undefined) throw methodNotAllowed();
  if (metadata.namespace && metadata.namespace !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  return { namespace };
}

function generatedName(world: World, prefix: string | undefined): string {
  if (!prefix) return "";
  const bytes = [...world.newUid().replaceAll("-", "")].slice(0, 5);
  return prefix + bytes.map((digit) => SUFFIX_LETTERS[Number.parseInt(digit, 16)]).join("");
}

function withoutServerFields(object: StoredObject): StoredObject {
  const { deletionTimestamp: _, deletionGracePeriodSeconds: __, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/**
 * Stores a new object: sets what the API server sets, prepares and validates it.
 * @throws StatusError 404 without its namespace, 403 where that is being deleted, 409 where the name is taken, 422.
 */
export function insert(world: World, kind: ServedKind, object: StoredObject, options: WriteOptions): StoredObject {
  const { resourceVersion, selfLink: _, ...given } = object.metadata as ObjectMeta & { selfLink?: string };
  checkNamespace(world, kind, object.metadata);
  if (kind.terminating) {
    const why = "create not allowed while custom resource definition is terminating";
    throw forbidden(kind, object.metadata.name, why);
  }
  const metadata = { ...given, uid: world.newUid(), creationTimestamp: timestamp(world.clock.now()) } as ObjectMeta;
  if (kind.generation !== "none") metadata.generation = 1;
  const prepared = kind.prepareCreate?.({ ...object, metadata }, contextOf(world)) ?? { ...object, metadata };
  refuseOtherKind(kind, prepared);
  refuseIfAny(kind.invalidAs ?? kind, metadata.name || metadata.generateName || "", [
    ...metadataCauses(prepared, kind),
    ...(kind.validate?.(prepared, undefined) ?? []),
  ]);
  if (resourceVersion) throw plainError("resourceVersion should not be set on objects to be created");
  const taken = world.store.get(kind.resource, metadata.namespace, metadata.name);
  if (taken) throw alreadyExists(kind, metadata.name, taken.metadata.deletionTimestamp !== undefined);
  const final = kind.finish?.(prepared) ?? prepared;
  return options.dryRun ? final : world.store.put(kind.resource, kind.toStored?.(final) ?? final);
}

function checkNamespace(world: World, kind: ServedKind, { namespace, name }: ObjectMeta): void {
  if (!kind.namespaced || !namespace) return;
  const owner = world.store.get("namespaces", undefined, namespace);
  if (!owner) throw notFound({ group: "", plural: "namespaces", kind: "Namespace" }, namespace);
  if (!owner.metadata.deletionTimestamp) return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const message = `namespace ${namespace} is being terminated`;
  throw forbidden(kind, name, why, [{ reason: "NamespaceTerminating", message, field: "metadata.namespace" }]);
}
