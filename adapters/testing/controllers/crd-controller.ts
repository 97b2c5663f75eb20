import type { JsonObject } from "../json.ts";
import type { CrdSpec } from "../kinds/crd-spec.ts";
import { customKinds } from "../kinds/custom.ts";
import { CLEANUP } from "../kinds/custom-resource-definition.ts";
import type { ServedKind } from "../kinds/served-kind.ts";
import type { StoreEvent } from "../store/store.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { removeIfReleased, removeObject } from "../verbs/delete.ts";
import { plainDeletion } from "../verbs/delete-options.ts";
import { timestamp, type World } from "../verbs/world.ts";
import { trackUpdate, writerOf } from "../verbs/write.ts";

export const CRDS = "customresourcedefinitions.apiextensions.k8s.io";

/** Serves the kinds of a CRD from its creation on, and says so in its status; with the CRD its objects go. */
export function serveCustomKinds(world: World, event: StoreEvent): void {
  if (event.resource === CRDS) {
    const { object, type } = event;
    world.registry.removeResource(object.metadata.name);
    if (type === "DELETED") return;
    for (const kind of customKinds(object)) world.registry.add(kind);
    if (object.metadata.deletionTimestamp) cleanUp(world, object);
    else if (type === "ADDED") establish(world, object);
  } else if (event.type === "DELETED") {
    const crd = world.store.get(CRDS, undefined, event.resource);
    if (crd?.metadata.deletionTimestamp) cleanUp(world, crd);
  }
}

function crdKind(world: World): ServedKind {
  return world.registry.find("apiextensions.k8s.io", "v1", "customresourcedefinitions")!;
}

/** A kind of the CRD, served or not: only its place in the store is looked at. */
function anyKind(crd: StoredObject): ServedKind {
  const spec = crd.spec as CrdSpec;
  return customKinds({
    ...crd,
    spec: { ...spec, versions: spec.versions.map((version) => ({ ...version, served: true })) },
  })[0]!;
}

function cleanUp(world: World, crd: StoredObject): void {
  const resource = crd.metadata.name;
  for (const object of world.store.list(resource)) {
    if (!object.metadata.deletionTimestamp) removeObject(world, anyKind(crd), object, plainDeletion());
  }
  const live = world.store.get(CRDS, undefined, resource);
  if (!live || world.store.list(resource).length > 0) return;
  const finalizers = (live.metadata.finalizers ?? []).filter((finalizer) => finalizer !== CLEANUP);
  if (finalizers.length === live.metadata.finalizers?.length) return;
  const released = { ...live, metadata: { ...live.metadata, finalizers } };
  if (!removeIfReleased(world, crdKind(world), released)) world.store.put(CRDS, released);
}

function establish(world: World, crd: StoredObject): void {
  const kind = crdKind(world);
  const now = timestamp(world.clock.now());
  const condition = (type: string, reason: string, message: string): JsonObject => ({
    type,
    status: "True",
    lastTransitionTime: now,
    reason,
    message,
  });
  const status = {
    conditions: [
      condition("NamesAccepted", "NoConflicts", "no conflicts found"),
      condition("Established", "InitialNamesAccepted", "the initial names have been accepted"),
    ],
    acceptedNames: (crd.spec as CrdSpec).names,
    storedVersions: (crd.status as JsonObject).storedVersions,
  };
  const writer = writerOf(world, kind, "kube-apiserver", "Update", "status");
  world.store.put(CRDS, trackUpdate(crd, { ...crd, status }, kind, writer));
}
