import type { OwnerReference } from "../../../functions/kube/resource.ts";
import type { ServedKind } from "../kinds/served-kind.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { World } from "../verbs/world.ts";

export type Found = { kind: ServedKind; object: StoredObject };

/** What an owner is to its dependent: there, not there, waiting for its dependents to go, or not to be found out. */
export type OwnerState = "solid" | "dangling" | "waiting" | "unknown";

/** The object that a reference names, by all that it says: kind, name and uid, in the dependent's namespace. */
export function ownerOf(world: World, reference: OwnerReference, dependent: StoredObject): Found | undefined {
  const kind = world.registry.findKind(reference.apiVersion, reference.kind);
  if (!kind) return undefined;
  const object = world.store.get(
    kind.resource,
    kind.namespaced ? dependent.metadata.namespace : undefined,
    reference.name,
  );
  return object?.metadata.uid === reference.uid ? { kind, object } : undefined;
}

export function stateOf(world: World, reference: OwnerReference, dependent: StoredObject): OwnerState {
  const kind = world.registry.findKind(reference.apiVersion, reference.kind);
  if (!kind || (kind.namespaced && !dependent.metadata.namespace)) return "unknown";
  const owner = ownerOf(world, reference, dependent)?.object.metadata;
  if (!owner) return "dangling";
  return owner.deletionTimestamp && owner.finalizers?.includes("foregroundDeletion") ? "waiting" : "solid";
}
