import type { OwnerReference } from "../../../functions/kube/resource.ts";
import type { StoreEvent } from "../store/store.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { removeIfReleased, removeObject } from "../verbs/delete.ts";
import { type Propagation, plainDeletion } from "../verbs/delete-options.ts";
import type { World } from "../verbs/world.ts";
import { trackUpdate, writerOf } from "../verbs/write.ts";
import { type Found, ownerOf, stateOf } from "./owner.ts";

/** Collects what has lost its owners, at once after each change, and serves the two finalizers of deletions. */
export class GarbageCollector {
  readonly #world: World;
  /** Objects by the uid of an owner that they name. */
  readonly #dependents = new Map<string, Map<string, Found>>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Takes a change in, and does what follows from it. */
  observe(event: StoreEvent): void {
    const kind = this.#world.registry.all().find((served) => served.resource === event.resource);
    if (!kind) return;
    this.#index(event, kind);
    const { object } = event;
    if (event.type === "DELETED") {
      for (const dependent of this.#dependentsOf(object)) this.#collect(dependent);
      for (const reference of object.metadata.ownerReferences ?? []) this.#finishOwner(reference, object);
      return;
    }
    for (const reference of lost(event)) this.#finishOwner(reference, object);
    const { finalizers, deletionTimestamp } = object.metadata;
    if (deletionTimestamp && finalizers?.includes("orphan")) this.#orphan({ kind, object });
    else if (deletionTimestamp && finalizers?.includes("foregroundDeletion")) this.#foreground({ kind, object });
    else if (event.type === "ADDED" || object.metadata.ownerReferences) this.#collect({ kind, object });
  }

  #index({ object, previous, type }: StoreEvent, kind: Found["kind"]): void {
    const { uid } = object.metadata;
    for (const owner of previous?.metadata.ownerReferences ?? []) this.#dependents.get(owner.uid)?.delete(uid);
    if (type === "DELETED") return;
    for (const owner of object.metadata.ownerReferences ?? []) {
      const dependents = this.#dependents.get(owner.uid) ?? new Map<string, Found>();
      this.#dependents.set(owner.uid, dependents.set(uid, { kind, object }));
    }
  }

  #dependentsOf(owner: StoredObject): Found[] {
    return [...(this.#dependents.get(owner.metadata.uid)?.values() ?? [])];
  }

  /**
   * Deletes an object none of whose owners exists, and drops the references to those that do not. An owner whose foreground
   * deletion waits for it counts as none. Whoever cannot tell of one owner leaves all as it is.
   */
  #collect({ kind, object }: Found): void {
    const live = this.#live({ kind, object });
    const references = live?.metadata.ownerReferences ?? [];
    if (!live || references.length === 0 || live.metadata.deletionTimestamp) return;
    const states = references.map((reference) => stateOf(this.#world, reference, live));
    if (states.includes("unknown")) return;
    const solid = references.filter((_, index) => states[index] === "solid");
    if (solid.length === references.length) return;
    if (solid.length > 0) this.#withReferences({ kind, object: live }, solid);
    else removeObject(this.#world, kind, live, plainDeletion(this.#propagation(live, states.includes("waiting"))));
  }

  #propagation(object: StoredObject, isAwaited: boolean): Propagation {
    if (isAwaited && this.#dependentsOf(object).length > 0) return "Foreground";
    const { finalizers = [] } = object.metadata;
    if (finalizers.includes("orphan")) return "Orphan";
    return finalizers.includes("foregroundDeletion") ? "Foreground" : "Background";
  }

  #foreground(owner: Found): void {
    for (const dependent of this.#dependentsOf(owner.object)) this.#collect(dependent);
    this.#release(owner, "foregroundDeletion");
  }

  /** Removes the finalizer of a foreground deletion once nothing that blocks it is left. */
  #release({ kind, object }: Found, finalizer: string): void {
    const blocked =
      finalizer === "foregroundDeletion" &&
      this.#dependentsOf(object).some(({ object: dependent }) =>
        dependent.metadata.ownerReferences?.some(
          ({ uid, blockOwnerDeletion }) => uid === object.metadata.uid && blockOwnerDeletion,
        ),
      );
    const live = this.#live({ kind, object });
    if (blocked || !live?.metadata.finalizers?.includes(finalizer)) return;
    const finalizers = live.metadata.finalizers.filter((other) => other !== finalizer);
    const next = { ...live, metadata: { ...live.metadata, finalizers } };
    if (finalizers.length === 0) delete (next.metadata as { finalizers?: string[] }).finalizers;
    if (!removeIfReleased(this.#world, kind, next)) this.#world.store.put(kind.resource, next);
  }

  #finishOwner(reference: OwnerReference, dependent: StoredObject): void {
    const owner = ownerOf(this.#world, reference, dependent);
    if (owner?.object.metadata.deletionTimestamp) this.#release(owner, "foregroundDeletion");
  }

  #orphan(owner: Found): void {
    for (const dependent of this.#dependentsOf(owner.object)) {
      const live = this.#live(dependent);
      const rest = live?.metadata.ownerReferences?.filter(({ uid }) => uid !== owner.object.metadata.uid);
      if (live && rest) this.#withReferences({ ...dependent, object: live }, rest);
    }
    this.#release(owner, "orphan");
  }

  #withReferences({ kind, object }: Found, ownerReferences: OwnerReference[]): void {
    const metadata = { ...object.metadata, ownerReferences };
    if (ownerReferences.length === 0) delete (metadata as { ownerReferences?: OwnerReference[] }).ownerReferences;
    const writer = writerOf(this.#world, kind, "kube-controller-manager", "Update");
    this.#world.store.put(kind.resource, trackUpdate(object, { ...object, metadata }, kind, writer));
  }

  #live({ kind, object }: Found): StoredObject | undefined {
    const live = this.#world.store.get(kind.resource, object.metadata.namespace, object.metadata.name);
    return live?.metadata.uid === object.metadata.uid ? live : undefined;
  }
}

/** The references that an object had before a change and no longer has. */
function lost({ object, previous }: StoreEvent): OwnerReference[] {
  const kept = new Set((object.metadata.ownerReferences ?? []).map(({ uid }) => uid));
  return (previous?.metadata.ownerReferences ?? []).filter(({ uid }) => !kept.has(uid));
}
