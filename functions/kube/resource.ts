import type { ResourceRef } from "../contract/index.ts";

export type OwnerReference = {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
};

export type ManagedFieldsEntry = {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  subresource?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: object;
};

/** The metadata of an object that the API server returned. */
export type ObjectMeta = {
  name: string;
  namespace?: string;
  uid: string;
  resourceVersion: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  generateName?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  managedFields?: ManagedFieldsEntry[];
};

/** An object as the API server returned it. */
export type KubeObject = { apiVersion: string; kind: string; metadata: ObjectMeta };

/** The metadata that one writes: a name, and no field that only the API server sets. */
export type DraftMeta = Pick<ObjectMeta, "name" | "namespace" | "labels" | "annotations"> & {
  ownerReferences?: OwnerReference[];
};

/** An object to be written: for `apply` it holds all that its field manager wants, and nothing else. */
export type Draft<T extends KubeObject = KubeObject> = {
  apiVersion: T["apiVersion"];
  kind: T["kind"];
  metadata: DraftMeta;
} & Omit<T, "apiVersion" | "kind" | "metadata" | "status">;

/** A kind as a value: where the API server serves it, and how one of its objects is parsed. */
export type Resource<T extends KubeObject = KubeObject> = ResourceRef & {
  /** `v1`, `example.com/v1`. */
  readonly apiVersion: string;
  /**
   * Checks an object against the kind's schema and sets defaults (F9). Built-in kinds have none: the API server did it.
   * @throws MisfitError with the path of what does not fit.
   */
  readonly parse?: (object: KubeObject) => T;
};

/** @example type Document = Infer<typeof Document>; */
export type Infer<R> = R extends Resource<infer T> ? T : never;
