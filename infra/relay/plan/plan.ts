import type {
  LabelSelector,
  Manifest,
  Mapping,
  Predicate,
  Reason,
  Relation,
  ResourceRef,
} from "../../../functions/contract/index.ts";
import { collectionPath } from "../../../functions/kube/paths.ts";
import { type Compiled, compilePredicate } from "../predicate/compile.ts";
import type { PredicateValue } from "../predicate/value.ts";
import { createDrafts, type Draft } from "./draft.ts";
import { labelSelectorOf } from "./selection.ts";

/** One watch of the relay, shared by all relations of all controllers that ask for the same (R8). */
export type WatchPlan = {
  /** The path that is listed and watched, with its selectors: no two watches share it. */
  id: string;
  resource: ResourceRef;
  /** All namespaces where absent. */
  namespace?: string;
  path: string;
  labelSelector?: string;
  fieldSelector?: string;
  /** Fields of the object that name related objects. */
  fields: readonly string[];
  /** What the relations' predicates compare, beside generations. */
  values: readonly PredicateValue[];
  /** Whether more of an object is needed than its metadata. */
  fullObjects: boolean;
  /** Field managers whose own writes a relation ignores (R13). */
  managers: readonly string[];
  relations: readonly PlannedRelation[];
};

export type PlannedRelation = {
  controller: string;
  mapping: Mapping;
  predicate: Predicate;
  /** Of a predicate that is more than `generation` or `resourceVersion`. */
  compiled?: Compiled;
  reason: Reason;
  /** The kind that the keys name: the controller's `for`. */
  primary: ResourceRef;
  /** Which of the plan's managers is this controller's; absent where own writes trigger. */
  manager?: number;
  /** For `self`: where the primary's fields are kept, and as which index. */
  references: readonly Reference[];
  /** For `namedBy`: the index that tells the primaries which name an object. */
  index?: string;
  /** For `code`: the relation's id, by which the functions know it. */
  route?: string;
  /** Of one watch for all namespaces: only those of this selector count. */
  within?: string;
};

export type Reference = {
  /** Position in the plan's `fields`. */
  field: number;
  index: string;
  /** Whether what is named lives in the primary's namespace, or in none. */
  scope: ResourceRef["scope"];
};

/**
 * The namespaces that a selector holds just now; undefined before they are known. `all`: they are too many for a watch each,
 * so that one watch serves all.
 */
export type Places = (selector: string) => readonly string[] | "all" | undefined;

const NAMESPACES: ResourceRef = { group: "", version: "v1", kind: "Namespace", plural: "namespaces", scope: "Cluster" };

/**
 * The watches that a manifest asks for.
 * @param ownSelector labels of the primaries that this relay is for; all of them where it is empty.
 * @param places which namespaces are selected by label: watches of those are asked for once they are known.
 * @throws TypeError that names the controller without a relation by `self`: its other relations would lead nowhere.
 */
export function planWatches(manifest: Manifest, ownSelector = "", places: Places = () => undefined): WatchPlan[] {
  const drafts = createDrafts();
  for (const controller of manifest.controllers) {
    const primary = controller.relations.find((relation) => relation.mapping.by === "self")?.watch.resource;
    if (!primary) throw new TypeError(`controller ${controller.name}: no relation is mapped by "self"`);
    const index = (of: Relation) => `${controller.name}/${of.id}`;
    const related = controller.relations.filter(({ mapping }) => mapping.by === "namedBy");
    for (const relation of controller.relations) {
      const { mapping, predicate, watch } = relation;
      if (watch.namespaceSelector) drafts.in(undefined, { resource: NAMESPACES, ...watch.namespaceSelector });
      const selected = selectedBy(watch, places);
      const own = mapping.by === "self" ? ownSelector : "";
      for (const draft of selected.namespaces.map((namespace) => drafts.in(namespace, watch, own))) {
        const compiled = compilePredicate(predicate, draft.values);
        draft.relations.push({
          controller: controller.name,
          mapping,
          predicate,
          ...(compiled && { compiled }),
          reason: mapping.by === "self" ? "object-updated" : "related-object-updated",
          primary,
          ...(relation.ownWrites === "ignore"
            ? { manager: positionOf(draft.managers, controller.fieldManager) }
            : undefined),
          references: (mapping.by === "self" ? related : []).map((other) => ({
            field: positionOf(draft.fields, (other.mapping as Extract<Mapping, { by: "namedBy" }>).field),
            index: index(other),
            scope: other.watch.resource.scope,
          })),
          ...(mapping.by === "namedBy" && { index: index(relation) }),
          ...(mapping.by === "code" && { route: relation.id }),
          ...(selected.within !== undefined && { within: selected.within }),
        });
      }
    }
  }
  return drafts.all().map((draft) => ({ ...draft, fullObjects: needsFullObjects(draft) }));
}

/** The Namespaces watch that tells what a selector holds. */
export function namespacesPlanId(selector: string): string {
  const path = collectionPath(NAMESPACES);
  return selector === "" ? path : `${path}?${selector}`;
}

/** The selectors of namespaces that a manifest names. */
export function namespaceSelectors(manifest: Manifest): Set<string> {
  const selectors = manifest.controllers
    .flatMap(({ relations }) => relations.map(({ watch }) => watch.namespaceSelector))
    .filter((selector): selector is LabelSelector => selector !== undefined);
  return new Set(selectors.map(labelSelectorOf));
}

/** In which namespaces a relation watches: `undefined` is all of them. */
type Selected = { namespaces: readonly (string | undefined)[]; within?: string };

function selectedBy({ resource, namespaces, namespaceSelector }: Relation["watch"], places: Places): Selected {
  const named = namespaces && [...new Set(namespaces)];
  if (resource.scope === "Cluster") return { namespaces: [undefined] };
  if (!namespaceSelector) return { namespaces: named ?? [undefined] };
  const selector = labelSelectorOf(namespaceSelector);
  const held = places(selector) ?? [];
  // Named ones beside a selector are those that this relay is for, of several that share the cluster.
  if (held === "all") return { namespaces: named ?? [undefined], within: selector };
  return { namespaces: named ? held.filter((name) => named.includes(name)) : held };
}

function needsFullObjects({ fields, values, relations }: Draft): boolean {
  const paths = [
    ...fields,
    ...values.flatMap((value) => (value.of === "field" ? value.path : [])),
    ...relations.flatMap(({ mapping }) => (mapping.by === "field" ? mapping.field : [])),
  ];
  if (paths.some((path) => !path.startsWith(".metadata."))) return true;
  return relations.some(({ mapping }) => mapping.by === "code" && mapping.objects === "full");
}

function positionOf(list: string[], text: string): number {
  const found = list.indexOf(text);
  return found < 0 ? list.push(text) - 1 : found;
}
