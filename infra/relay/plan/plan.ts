import type { Manifest, Mapping, Predicate, Reason, Relation, ResourceRef } from "../../../functions/contract/index.ts";
import { collectionPath } from "../../../functions/kube/paths.ts";

/** One watch of the relay, shared by all relations of all controllers that ask for the same (R8). */
export type WatchPlan = {
  /** The path that is listed and watched, with its label selector: no two watches share it. */
  id: string;
  resource: ResourceRef;
  /** All namespaces where absent. */
  namespace?: string;
  path: string;
  labelSelector?: string;
  /** Fields of the object that name related objects. */
  fields: readonly string[];
  /** Whether `fields` needs more of an object than its metadata. */
  fullObjects: boolean;
  /** Field managers whose own writes a relation ignores (R13). */
  managers: readonly string[];
  relations: readonly PlannedRelation[];
};

export type PlannedRelation = {
  controller: string;
  mapping: Mapping;
  predicate: Predicate;
  reason: Reason;
  /** The kind that the keys name: the controller's `for`. */
  primary: ResourceRef;
  /** Which of the plan's managers is this controller's; absent where own writes trigger. */
  manager?: number;
  /** For `self`: where the primary's fields are kept, and as which index. */
  references: readonly Reference[];
  /** For `namedBy`: the index that tells the primaries which name an object. */
  index?: string;
};

export type Reference = {
  /** Position in the plan's `fields`. */
  field: number;
  index: string;
  /** Whether what is named lives in the primary's namespace, or in none. */
  scope: ResourceRef["scope"];
};

type Draft = Omit<WatchPlan, "fields" | "fullObjects" | "managers" | "relations"> & {
  fields: string[];
  managers: string[];
  relations: PlannedRelation[];
};

/**
 * The watches that a manifest asks for.
 * @param ownSelector labels of the primaries that this relay is for; all of them where it is empty.
 * @throws TypeError that names the controller without a relation by `self`: its other relations would lead nowhere.
 */
export function planWatches(manifest: Manifest, ownSelector = ""): WatchPlan[] {
  const drafts = new Map<string, Draft>();
  for (const controller of manifest.controllers) {
    const primary = controller.relations.find((relation) => relation.mapping.by === "self")?.watch.resource;
    if (!primary) throw new TypeError(`controller ${controller.name}: no relation is mapped by "self"`);
    for (const relation of controller.relations)
      for (const draft of draftsFor(drafts, relation, relation.mapping.by === "self" ? ownSelector : "")) {
        const index = (of: Relation) => `${controller.name}/${of.id}`;
        draft.relations.push({
          controller: controller.name,
          mapping: relation.mapping,
          predicate: relation.predicate,
          reason: relation.mapping.by === "self" ? "object-updated" : "related-object-updated",
          primary,
          ...(relation.ownWrites === "ignore"
            ? { manager: positionOf(draft.managers, controller.fieldManager) }
            : undefined),
          references:
            relation.mapping.by !== "self"
              ? []
              : controller.relations.flatMap((other) =>
                  other.mapping.by === "namedBy"
                    ? {
                        field: positionOf(draft.fields, other.mapping.field),
                        index: index(other),
                        scope: other.watch.resource.scope,
                      }
                    : [],
                ),
          ...(relation.mapping.by === "namedBy" ? { index: index(relation) } : undefined),
        });
      }
  }
  return [...drafts.values()].map((draft) => ({
    ...draft,
    fullObjects: draft.fields.some((field) => !field.startsWith(".metadata.")),
  }));
}

function draftsFor(drafts: Map<string, Draft>, relation: Relation, ownSelector: string): Draft[] {
  const { resource, namespaces, matchLabels } = relation.watch;
  const places = resource.scope === "Cluster" || !namespaces ? [undefined] : [...new Set(namespaces)];
  return places.map((namespace) => {
    const path = collectionPath(resource, namespace);
    const labelSelector = [selectorOf(matchLabels ?? {}), ownSelector].filter(Boolean).join(",");
    const id = labelSelector === "" ? path : `${path}?${labelSelector}`;
    let draft = drafts.get(id);
    if (!draft) {
      draft = {
        id,
        resource,
        path,
        ...(namespace === undefined ? undefined : { namespace }),
        ...(labelSelector === "" ? undefined : { labelSelector }),
        fields: [],
        managers: [],
        relations: [],
      };
      drafts.set(id, draft);
    }
    return draft;
  });
}

/** Sorted, so that the order in which labels are declared makes no second watch. */
function selectorOf(matchLabels: Record<string, string>): string {
  return Object.keys(matchLabels)
    .sort()
    .map((key) => `${key}=${matchLabels[key]}`)
    .join(",");
}

function positionOf(list: string[], text: string): number {
  const found = list.indexOf(text);
  return found < 0 ? list.push(text) - 1 : found;
}
