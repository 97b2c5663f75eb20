import type { Manifest, Relation, ResourceRef } from "../../../functions/contract/index.ts";
import { manifest } from "../../../functions/contract/index.ts";
import type { KubeObject, ObjectMeta } from "../../../functions/kube/resource.ts";

export const documents: ResourceRef = {
  group: "example.com",
  version: "v1",
  kind: "Document",
  plural: "documents",
  scope: "Namespaced",
};
export const configMaps: ResourceRef = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  scope: "Namespaced",
};
export const secrets: ResourceRef = { ...configMaps, kind: "Secret", plural: "secrets" };
export const namespaces: ResourceRef = { ...configMaps, kind: "Namespace", plural: "namespaces", scope: "Cluster" };

/** An object with only what a test is about. */
export function objectOf(
  meta: Partial<ObjectMeta> & { name: string },
  rest: Record<string, unknown> = {},
): KubeObject & Record<string, unknown> {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: "default", uid: `uid-${meta.name}`, resourceVersion: "1", ...meta },
    ...rest,
  };
}

export function relationOf(relation: Partial<Relation> & { watch: Relation["watch"] }): Relation {
  return { id: "for", predicate: "resourceVersion", mapping: { by: "self" }, ownWrites: "trigger", ...relation };
}

/** A manifest of controllers with these relations; the field manager is the controller's name. */
export function manifestOf(controllers: Record<string, Relation[]>): Manifest {
  return manifest.parse({
    apiVersion: "sluice.dev/v1",
    revision: "r1",
    controllers: Object.entries(controllers).map(([name, relations]) => ({
      name,
      fieldManager: name,
      relations,
      scheduling: {},
      rbac: [],
    })),
  });
}
