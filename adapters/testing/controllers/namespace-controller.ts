import type { JsonObject } from "../json.ts";
import type { StoreEvent } from "../store/store.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { removeObject } from "../verbs/delete.ts";
import { plainDeletion } from "../verbs/delete-options.ts";
import type { World } from "../verbs/world.ts";

/** Empties a namespace that is being deleted, and lets it go once nothing is left in it. */
export function finishNamespaces(world: World, event: StoreEvent): void {
  if (event.resource === "namespaces" && event.type === "MODIFIED" && event.object.metadata.deletionTimestamp) {
    const contents = contentsOf(world, event.object.metadata.name);
    for (const { kind, object } of contents) {
      const live = world.store.get(kind.resource, object.metadata.namespace, object.metadata.name);
      if (live) removeObject(world, kind, live, plainDeletion());
    }
    releaseIfEmpty(world, event.object.metadata.name);
  } else if (event.type === "DELETED" && event.object.metadata.namespace) {
    releaseIfEmpty(world, event.object.metadata.namespace);
  }
}

function contentsOf(world: World, namespace: string) {
  const seen = new Set<string>();
  return world.registry.all().flatMap((kind) => {
    if (!kind.namespaced || seen.has(kind.resource)) return [];
    seen.add(kind.resource);
    return world.store.list(kind.resource, namespace).map((object) => ({ kind, object }));
  });
}

function releaseIfEmpty(world: World, name: string): void {
  const namespace = world.store.get("namespaces", undefined, name);
  if (!namespace?.metadata.deletionTimestamp || contentsOf(world, name).length > 0) return;
  const spec = namespace.spec as JsonObject;
  const released: StoredObject = { ...namespace, spec: { ...spec, finalizers: undefined } };
  if ((namespace.metadata.finalizers?.length ?? 0) > 0) return;
  world.store.remove("namespaces", released);
}
