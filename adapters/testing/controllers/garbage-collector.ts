import type { OwnerReference } from "../../../functions/kube/resource.ts";
import type { ServedKind } from "../kinds/served-kind.ts";
import type { StoreEvent } from "../store/store.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { removeIfReleased, removeObject } from "../verbs/delete.ts";
import { plainDeletion } from "../verbs/delete-options.ts";
import type { World } from "../verbs/world.ts";
import { trackUpdate, writerOf } from "../verbs/write.ts";

type Found = { kind: ServedKind; object: StoredObject };

/** Collects what has lost its owners, at once after each change, and serves the two finalizers of deletions. */
export class GarbageCollector {
  readonly #world: World;
  /** Objects by the uid of an owner that they name. */
  readonly #dependents = new Map<string, Map<string, Found>>();
  readonly #uids = new Set<string>();

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
      this.#uids.delete(object.metadata.uid);
      for (const dependent of this.#dependentsOf(object)) this.#collect(dependent);
      for (const reference of object.metadata.ownerReferences ?? []) this.#finishOwner(reference, object);
      return;
    }
    this.#uids.add(object.metadata.uid);
    const { finalizers, deletionTimestamp } = object.metadata;
    if (deletionTimestamp && finalizers?.includes("orphan")) this.#orphan({ kind, object });
    else if (deletionTimestamp && finalizers?.includes("foregroundDeletion")) this.#foreground({ kind, object });
    else if (event.type === "ADDED" || object.metadata.ownerReferences) this.#collect({ kind, object });
  }

  #index({ object, previous, type }: StoreEvent, kind: ServedKind): void {
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

  /** Deletes an object none of whose owners exists, and drops the references to those that do not. */
  #collect({ kind, object }: Found): void {
    const references = object.metadata.ownerReferences ?? [];
    const solid = references.filter((reference) => this.#uids.has(reference.uid));
    if (references.length === 0 || solid.length === references.length) return;
    const live = this.#live({ kind, object });
    if (!live) return;
    if (solid.length > 0) this.#withReferences({ kind, object: live }, solid);
    else removeObject(this.#world, kind, live, plainDeletion(this.#inherited(live)));
  }

  #inherited(object: StoredObject): "Foreground" | "Background" {
    return object.metadata.finalizers?.includes("foregroundDeletion") ? "Foreground" : "Background";
  }

  #foreground(owner: Found): void {
    for (const dependent of this.#dependentsOf(owner.object)) {
      const live = this.#live(dependent);
      if (!live || live.metadata.deletionTimestamp) continue;
      const others = live.metadata.ownerReferences!.filter(
        ({ uid }) => uid !== owner.object.metadata.uid && this.#uids.has(uid),
      );
      if (others.length > 0) this.#withReferences({ ...dependent, object: live }, others);
      else removeObject(this.#world, dependent.kind, live, plainDeletion("Foreground"));
    }
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
    const [group = ""] = reference.apiVersion.includes("/") ? reference.apiVersion.split("/") : [""];
    const kind = this.#world.registry.findKind(group, reference.kind);
    const namespace = kind?.namespaced ? dependent.metadata.namespace : undefined;
    const owner = kind && this.#world.store.get(kind.resource, namespace, reference.name);
    if (kind && owner?.metadata.uid === reference.uid && owner.metadata.deletionTimestamp) {
      this.#release({ kind, object: owner }, "foregroundDeletion");
    }
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
