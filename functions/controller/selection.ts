import type { LabelRequirement } from "../contract/index.ts";
import { valueAt } from "../kube/field.ts";
import type { Kube } from "../kube/kube.ts";
import type { KubeObject, Resource } from "../kube/resource.ts";
import type { Controller } from "./controller.ts";

/** Labels, as Kubernetes selects by them: all of `matchLabels`, and all of `matchExpressions`. */
export type LabelSelection = {
  matchLabels?: Readonly<Record<string, string>>;
  matchExpressions?: readonly Requirement[];
};

/** Which objects of a kind: by labels, and by values of fields that the API server can select by, like `.metadata.name`. */
export type Selection = LabelSelection & { matchFields?: Readonly<Record<string, string>> };

type Requirement = { key: string; operator: LabelRequirement["operator"]; values?: readonly string[] };

/** What tells whether a namespace is selected. */
export const NAMESPACE: Resource<KubeObject> = {
  apiVersion: "v1",
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  scope: "Cluster",
};

/** Whether the controller's namespaces and selector leave an object out: it is none of its objects then (F1). */
export async function isExcluded(
  { namespaces, selector = {} }: Pick<Controller, "namespaces" | "selector">,
  object: KubeObject,
  kube: Pick<Kube, "find">,
): Promise<boolean> {
  const { namespace = "", labels } = object.metadata;
  const { matchFields = {} } = selector;
  if (!selects(selector, labels)) return true;
  // What an object leaves out, the API server selects by its kind of zero: a Node's `.spec.unschedulable` is `false`.
  for (const [path, value] of Object.entries(matchFields))
    if (![valueAt(object, path) ?? ["", 0, false]].flat().map(String).includes(value)) return true;
  if (namespaces === undefined) return false;
  if (isList(namespaces)) return !namespaces.includes(namespace);
  const found = await kube.find(NAMESPACE, { name: namespace });
  return !found || !selects(namespaces, found.metadata.labels);
}

export function isList<T>(value: readonly T[] | object): value is readonly T[] {
  return Array.isArray(value);
}

/** Whether labels fit a selector, as the API server judges it. */
export function selects(
  { matchLabels = {}, matchExpressions = [] }: LabelSelection,
  labels: Readonly<Record<string, string>> = {},
): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every((requirement) => meets(requirement, labels[requirement.key]))
  );
}

/** A label that is not there is in no set, and so not in every set that `NotIn` names. */
function meets({ operator, values = [] }: Requirement, value: string | undefined): boolean {
  const among = value !== undefined && (!operator.endsWith("In") || values.includes(value));
  return among !== operator.includes("Not");
}
