import type { ApiRequest } from "../http/request.ts";
import { conflict, notFound } from "../http/status-error.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { ServedKind } from "../kinds/served-kind.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { parseYamlBody } from "./decode.ts";
import { timestamp, type World } from "./world.ts";

export type Propagation = "Background" | "Foreground" | "Orphan";

type DeleteOptions = {
  propagation: Propagation;
  preconditions: { uid?: string; resourceVersion?: string };
  dryRun: boolean;
};

/** What a deletion leaves: the object with its deletionTimestamp, or undefined once it is gone. */
export type Deleted = { object: StoredObject; gone: boolean };

export function deleteOptions({ query, body }: ApiRequest): DeleteOptions {
  const parsed = body ? parseYamlBody(body) : {};
  const given: JsonObject = isObject(parsed) ? parsed : {};
  const orphan =
    given.orphanDependents ?? (query.has("orphanDependents") ? query.get("orphanDependents") === "true" : undefined);
  const propagation =
    given.propagationPolicy ?? query.get("propagationPolicy") ?? (orphan === true ? "Orphan" : "Background");
  const dryRun = Array.isArray(given.dryRun) ? given.dryRun : query.getAll("dryRun");
  return {
    propagation: propagation as Propagation,
    preconditions: isObject(given.preconditions) ? given.preconditions : {},
    dryRun: dryRun.includes("All"),
  };
}

/** @throws StatusError 404, 409 where a precondition does not hold. */
export function remove(world: World, kind: ServedKind, request: ApiRequest): Deleted {
  const live = world.store.get(kind.resource, request.namespace, request.name!);
  if (!live) throw notFound(kind, request.name!);
  return removeObject(world, kind, live, deleteOptions(request));
}

export function removeObject(world: World, kind: ServedKind, live: StoredObject, options: DeleteOptions): Deleted {
  const { uid, resourceVersion } = options.preconditions;
  const { metadata } = live;
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`;
    throw conflict(kind, metadata.name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const own = metadata.resourceVersion;
    const why = `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${own}`;
    throw conflict(kind, metadata.name, why);
  }
  const marked = mark(world, kind, live, options.propagation);
  const held = (marked.metadata.finalizers?.length ?? 0) > 0 || kind.resource === "namespaces";
  if (options.dryRun) return { object: marked, gone: !held };
  if (!held) return { object: world.store.remove(kind.resource, live), gone: true };
  return { object: marked === live ? live : world.store.put(kind.resource, marked), gone: false };
}

/** The object as it waits for its finalizers. Marking it again changes nothing. */
function mark(world: World, kind: ServedKind, live: StoredObject, propagation: Propagation): StoredObject {
  const { metadata } = live;
  const own: readonly string[] = metadata.finalizers ?? [];
  const kept = own.filter((finalizer) => finalizer !== "foregroundDeletion" && finalizer !== "orphan");
  const finalizers =
    propagation === "Foreground"
      ? [...kept, "foregroundDeletion"]
      : propagation === "Orphan"
        ? [...kept, "orphan"]
        : kept;
  const same = finalizers.length === own.length && finalizers.every((finalizer) => own.includes(finalizer));
  if (metadata.deletionTimestamp && same) return live;
  const marked: StoredObject = {
    ...live,
    metadata: {
      ...metadata,
      finalizers,
      deletionTimestamp: metadata.deletionTimestamp ?? timestamp(world.clock.now()),
      deletionGracePeriodSeconds: 0,
      ...(metadata.generation && !metadata.deletionTimestamp && { generation: metadata.generation + 1 }),
    },
  };
  if (finalizers.length === 0) delete marked.metadata.finalizers;
  return kind.resource === "namespaces"
    ? { ...marked, status: { ...(live.status as object), phase: "Terminating" } }
    : marked;
}

/** Removes an object that is being deleted and that nothing holds any more; undefined where it stays. */
export function removeIfReleased(world: World, kind: ServedKind, next: StoredObject): StoredObject | undefined {
  const { deletionTimestamp, finalizers } = next.metadata;
  if (!deletionTimestamp || (finalizers?.length ?? 0) > 0) return undefined;
  if (kind.resource === "namespaces" && ((next.spec as JsonObject).finalizers as unknown[] | undefined)?.length)
    return undefined;
  return world.store.remove(kind.resource, next);
}
