import type { ResourceRef } from "../../../functions/contract/index.ts";
import type { KubeObject, ObjectMeta } from "../../../functions/kube/resource.ts";
import type { PlannedRelation, Reference } from "../plan/plan.ts";
import { idOf, parseId, type References } from "./references.ts";

/** The key of a reconcile, without the cluster. */
export type Key = { controller: string; namespace?: string; name: string };

const NONE: readonly string[] = [];

/** The primaries that an object names itself, by its owner references or a label. */
export function namesOf({ mapping, primary }: PlannedRelation, meta: ObjectMeta): readonly string[] {
  if (mapping.by === "label") {
    const name = meta.labels?.[mapping.label];
    return name ? [name] : NONE;
  }
  if (mapping.by !== "owner" || !meta.ownerReferences) return NONE;
  // Group and kind, not the version: an owner stays one when its kind is served in another version.
  const owners = meta.ownerReferences.filter(
    (owner) =>
      owner.kind === primary.kind &&
      groupOf(owner.apiVersion) === primary.group &&
      (mapping.owner === "any" || owner.controller === true),
  );
  return owners.length === 0 ? NONE : owners.map((owner) => owner.name);
}

/**
 * The keys that an object leads to by a relation.
 * @param names what {@link namesOf} found in the object.
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
  let value: unknown = object;
  for (const part of path.split(".")) {
    if (part === "") continue;
    if (typeof value !== "object" || value === null) return "";
    value = (value as Record<string, unknown>)[part];
  }
  return typeof value === "string" ? value : "";
}

function keyIn(controller: string, id: string): Key {
  const { namespace, name } = parseId(id);
  return namespace === undefined ? { controller, name } : { controller, namespace, name };
}

function groupOf(apiVersion: string): ResourceRef["group"] {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}
