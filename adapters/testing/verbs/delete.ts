import type { ApiRequest } from "../http/request.ts";
import { conflict, forbidden, notFound } from "../http/status-error.ts";
import type { JsonObject } from "../json.ts";
import type { ServedKind } from "../kinds/served-kind.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { type DeleteOptions, deleteOptions, type Propagation } from "./delete-options.ts";
import { timestamp, type World } from "./world.ts";

/** What a deletion leaves: the object with its deletionTimestamp, or its last version once it is gone. */
export type Deleted = { object: StoredObject; gone: boolean };

/** Namespaces that a cluster cannot do without. */
const KEPT_NAMESPACES = new Set(["default", "kube-system", "kube-public"]);

/** @throws StatusError 404, 409 where a precondition does not hold. */
export function remove(world: World, kind: ServedKind, request: ApiRequest): Deleted {
  const options = deleteOptions(request);
  if (kind.resource === "namespaces" && KEPT_NAMESPACES.has(request.name!)) {
    throw forbidden(kind, request.name!, "this namespace may not be deleted");
  }
  const live = world.store.get(kind.resource, request.namespace, request.name!);
  if (!live) throw notFound(kind, request.name!);
  return removeObject(world, kind, live, options);
}

export function removeObject(world: World, kind: ServedKind, live: StoredObject, options: DeleteOptions): Deleted {
  checkPreconditions(kind, live, options);
  const marked = mark(world, kind, live, options.propagation);
  const held = (marked.metadata.finalizers?.length ?? 0) > 0 || kind.resource === "namespaces";
  if (options.dryRun) return { object: held ? marked : live, gone: !held };
  if (!held) return { object: world.store.remove(kind.resource, live), gone: true };
  return { object: marked === live ? live : world.store.put(kind.resource, marked), gone: false };
}

function checkPreconditions(kind: ServedKind, { metadata }: StoredObject, { preconditions }: DeleteOptions): void {
  const { uid, resourceVersion } = preconditions;
  const fail = (field: string, given: string, own: string, perhaps: string) =>
    conflict(
      { group: kind.group, plural: kind.kind },
      metadata.name,
      `the ${field} in the precondition (${given}) does not match the ${field} in record (${own}). The object might have been ${perhaps}`,
    );
  if (uid !== undefined && uid !== metadata.uid) {
    throw fail("UID", uid, metadata.uid, "deleted and then recreated");
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw fail("ResourceVersion", resourceVersion, metadata.resourceVersion, "modified");
  }
}

/** The object as it waits for its finalizers. Marking it again changes nothing. */
function mark(world: World, kind: ServedKind, live: StoredObject, propagation: Propagation): StoredObject {
  const { metadata } = live;
  const finalizers = finalizersFor(metadata.finalizers ?? [], propagation);
  const before = metadata.finalizers ?? [];
  const same = finalizers.length === before.length && finalizers.every((finalizer) => before.includes(finalizer));
  if (metadata.deletionTimestamp && same) return live;
  const { finalizers: _, ...rest } = metadata;
  const marked: StoredObject = {
    ...live,
    metadata: {
      ...rest,
      ...(finalizers.length > 0 && { finalizers }),
      deletionTimestamp: metadata.deletionTimestamp ?? timestamp(world.clock.now()),
      deletionGracePeriodSeconds: 0,
      ...(metadata.generation && !metadata.deletionTimestamp && { generation: metadata.generation + 1 }),
    },
  };
  return kind.markDeleting?.(marked, live) ?? marked;
}

function finalizersFor(own: readonly string[], propagation: Propagation): string[] {
  const kept = own.filter((finalizer) => finalizer !== "foregroundDeletion" && finalizer !== "orphan");
  if (propagation === "Foreground") return [...kept, "foregroundDeletion"];
  return propagation === "Orphan" ? [...kept, "orphan"] : kept;
}

/** Removes an object that is being deleted and that nothing holds any more; undefined where it stays. */
export function removeIfReleased(world: World, kind: ServedKind, next: StoredObject): StoredObject | undefined {
  const { deletionTimestamp, finalizers } = next.metadata;
  if (!deletionTimestamp || (finalizers?.length ?? 0) > 0) return undefined;
  const contents = kind.resource === "namespaces" ? (next.spec as JsonObject | undefined)?.finalizers : undefined;
  if (Array.isArray(contents) && contents.length > 0) return undefined;
  return world.store.remove(kind.resource, next);
}
