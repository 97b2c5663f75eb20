import type { ResourceRef } from "../../../functions/contract/index.ts";
import { MisfitError } from "../../../functions/kube/errors.ts";
import type { Draft, KubeObject, ObjectMeta, Resource } from "../../../functions/kube/resource.ts";

export type DocumentObject = KubeObject & {
  spec: { title: string; content: string };
  status?: { phase?: string; observedGeneration?: number; items?: { name: string }[] };
};
export type ConfigMapObject = KubeObject & { data?: Record<string, string> };

function resource<T extends KubeObject>(ref: ResourceRef, parse?: (object: KubeObject) => T): Resource<T> {
  const apiVersion = ref.group === "" ? ref.version : `${ref.group}/${ref.version}`;
  return { ...ref, apiVersion, ...(parse && { parse }) };
}

export const Document = resource<DocumentObject>(
  { group: "example.com", version: "v1", kind: "Document", plural: "documents", scope: "Namespaced" },
  (object) => {
    const { spec } = object as DocumentObject;
    if (typeof spec?.title !== "string") throw new MisfitError("spec.title", "must be a text");
    return { ...object, spec: { ...spec, content: spec.content ?? "" } } as DocumentObject;
  },
);
export const ConfigMap = resource<ConfigMapObject>({
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  scope: "Namespaced",
});
export const Secret = resource<KubeObject & { data?: Record<string, string> }>({
  group: "",
  version: "v1",
  kind: "Secret",
  plural: "secrets",
  scope: "Namespaced",
});
export const Namespace = resource<KubeObject>({
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  scope: "Cluster",
});

export const configMaps = "/api/v1/namespaces/default/configmaps";
export const documents = "/apis/example.com/v1/namespaces/default/documents";

export function meta(more: Partial<ObjectMeta> = {}): ObjectMeta {
  return { name: "a", namespace: "default", uid: "uid-1", resourceVersion: "5", ...more };
}

export function document(more: Partial<DocumentObject> = {}): DocumentObject {
  return {
    apiVersion: "example.com/v1",
    kind: "Document",
    metadata: meta(),
    spec: { title: "A", content: "x" },
    ...more,
  };
}

export function configMap(metadata: Partial<ObjectMeta> = {}): ConfigMapObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: meta({ uid: "uid-cm", ...metadata }),
    data: { content: "x" },
  };
}

/** The child as a controller's code writes it. */
export const draft: Draft<ConfigMapObject> = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", namespace: "default" },
  data: { content: "x" },
};

export const ownerReference = {
  apiVersion: "example.com/v1",
  kind: "Document",
  name: "a",
  uid: "uid-1",
  controller: true,
  blockOwnerDeletion: true,
};
