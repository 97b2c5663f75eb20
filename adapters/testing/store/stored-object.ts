import type { ObjectMeta } from "../../../functions/kube/resource.ts";

/** An object as it is stored. Never changed in place: each version is a value of its own. */
export type StoredObject = { apiVersion: string; kind: string; metadata: ObjectMeta; [field: string]: unknown };

/** The kind's place in the store: `documents.example.com`, `configmaps`. Versions of a kind share it. */
export type ResourceName = string;

/** The object's place among those of its kind. Sorts as etcd sorts. */
export function objectKey(namespace: string | undefined, name: string): string {
  return namespace ? `${namespace}/${name}` : name;
}

export function keyOf(object: StoredObject): string {
  return objectKey(object.metadata.namespace, object.metadata.name);
}
