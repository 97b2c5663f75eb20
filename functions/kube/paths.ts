import { label, objectName, type ResourceRef } from "../contract/index.ts";
import type { ObjectName } from "./kube.ts";

/**
 * The path of all objects of a kind, in one namespace or in all of them.
 * @throws TypeError for a namespace that is no DNS label, or that a cluster-scoped kind cannot have.
 * @example collectionPath(ConfigMap, "default") // "/api/v1/namespaces/default/configmaps"
 */
export function collectionPath(resource: ResourceRef, namespace?: string): string {
  const root = resource.group === "" ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  if (namespace === undefined) return `${root}/${resource.plural}`;
  if (resource.scope === "Cluster")
    throw new TypeError(`namespace: ${resource.kind} is cluster-scoped and has none, got "${cut(namespace)}"`);
  if (!label.safeParse(namespace).success)
    throw new TypeError(`namespace: must be a DNS label of at most 63 characters, got "${cut(namespace)}"`);
  return `${root}/namespaces/${namespace}/${resource.plural}`;
}

/**
 * The path of one object. Its name is checked, so that it can never lead to another path (X2).
 * @throws TypeError for a name or namespace that no object can have, or that is missing.
 * @example objectPath(Document, { namespace: "default", name: "a" }, "status")
 */
export function objectPath(resource: ResourceRef, { namespace, name }: ObjectName, subresource?: "status"): string {
  if (resource.scope === "Namespaced" && namespace === undefined)
    throw new TypeError(`namespace: missing for the ${resource.kind} "${cut(name)}", which is namespaced`);
  if (!objectName.safeParse(name).success)
    throw new TypeError(`name: must be an object name of 1 to 253 characters, got "${cut(name)}"`);
  const path = `${collectionPath(resource, namespace)}/${encodeURIComponent(name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

function cut(text: unknown): string {
  return String(text).slice(0, 80);
}
