import type { JsonObject } from "../json.ts";
import { type CrdSpec, customKinds } from "../kinds/custom.ts";
import type { StoreEvent } from "../store/store.ts";
import { removeObject } from "../verbs/delete.ts";
import { timestamp, type World } from "../verbs/world.ts";

export const CRDS = "customresourcedefinitions.apiextensions.k8s.io";

/** Serves the kinds of a CRD from its creation on, and says so in its status; with the CRD its objects go. */
export function serveCustomKinds(world: World, event: StoreEvent): void {
  if (event.resource !== CRDS) return;
  const { object, type } = event;
  const spec = object.spec as CrdSpec;
  const resource = object.metadata.name;
  if (type === "DELETED") {
    const kind = world.registry.all().find((served) => served.resource === resource);
    for (const stored of kind ? world.store.list(resource) : []) {
      removeObject(world, kind!, stored, { preconditions: {}, dryRun: false, propagation: "Background" });
    }
    world.registry.removeResource(resource);
    return;
  }
  world.registry.removeResource(resource);
  for (const kind of customKinds(object)) world.registry.add(kind);
  if (type === "ADDED") {
    world.store.put(CRDS, { ...object, status: established(spec, timestamp(world.clock.now())) });
  }
}

function established(spec: CrdSpec, now: string): JsonObject {
  const storage = spec.versions.find((version) => version.storage);
  return {
    conditions: [
      {
        type: "NamesAccepted",
        status: "True",
        lastTransitionTime: now,
        reason: "NoConflicts",
        message: "no conflicts found",
      },
      {
        type: "Established",
        status: "True",
        lastTransitionTime: now,
        reason: "InitialNamesAccepted",
        message: "the initial names have been accepted",
      },
    ],
    acceptedNames: spec.names,
    storedVersions: storage ? [storage.name] : [],
  };
}
