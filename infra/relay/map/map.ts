import type { ResourceRef } from "../../../functions/contract/index.ts";
import { valueAt } from "../../../functions/kube/field.ts";
import type { KubeObject } from "../../../functions/kube/resource.ts";
import type { PlannedRelation, Reference } from "../plan/plan.ts";
import { idOf, parseId, type References } from "./references.ts";

/** The key of a reconcile, without the cluster. */
export type Key = { controller: string; namespace?: string; name: string };

const NONE: readonly string[] = [];

/** The primaries that an object names itself: by its owner references, a label, an annotation or a field. */
export function namesOf({ mapping, primary }: PlannedRelation, object: KubeObject): readonly string[] {
  const { labels, annotations, ownerReferences } = object.metadata;
  const named = (name: string | undefined): readonly string[] => (name ? [name] : NONE);
  if (mapping.by === "label") return named(labels?.[mapping.label]);
  if (mapping.by === "annotation") return named(annotations?.[mapping.annotation]);
  if (mapping.by === "field") return named(fieldOf(object, mapping.field));
  if (mapping.by !== "owner" || !ownerReferences) return NONE;
  // Group and kind, not the version: an owner stays one when its kind is served in another version.
  const owners = ownerReferences.filter(
    (owner) =>
      owner.kind === primary.kind &&
      groupOf(owner.apiVersion) === primary.group &&
      (mapping.owner === "any" || owner.controller === true),
  );
  return owners.length === 0 ? NONE : owners.map((owner) => owner.name);
}

/**
 * The keys that an object leads to by a relation.
 * @param names what {@link namesOf} found in the object; for a mapping by code the ids that the code told.
 */
export function keysOf(
  relation: PlannedRelation,
  id: string,
  names: readonly string[],
  references: References,
): readonly Key[] {
  const { controller, mapping, primary, index } = relation;
  if (mapping.by === "self") return [keyIn(controller, id)];
  if (mapping.by === "namedBy") return [...references.primaries(index!, id)].map((found) => keyIn(controller, found));
  if (mapping.by === "code") return names.map((found) => keyIn(controller, found));
  if (primary.scope === "Cluster") return names.map((name) => ({ controller, name }));
  const { namespace } = parseId(id);
  // An object outside all namespaces cannot say in which one its namespaced primary lives.
  return namespace === undefined ? [] : names.map((name) => ({ controller, namespace, name }));
}

/**
 * The id of the object that a primary's field names, undefined where it names none. A namespaced one lives in the
 * primary's namespace; a primary without a namespace cannot name one.
 */
export function relatedId(reference: Reference, primary: string, value: string): string | undefined {
  if (value === "") return undefined;
  if (reference.scope === "Cluster") return idOf(undefined, value);
  const { namespace } = parseId(primary);
  return namespace === undefined ? undefined : idOf(namespace, value);
}

/**
 * The text in a field of an object, empty where there is none.
 * @example fieldOf(document, ".spec.secretName") // "token"
 */
export function fieldOf(object: KubeObject, path: string): string {
  const value = valueAt(object, path);
  return typeof value === "string" ? value : "";
}

/** The key of a primary with this id. */
export function keyIn(controller: string, id: string): Key {
  const { namespace, name } = parseId(id);
  return namespace === undefined ? { controller, name } : { controller, namespace, name };
}

function groupOf(apiVersion: string): ResourceRef["group"] {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}
