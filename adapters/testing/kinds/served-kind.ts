import type { StatusCause } from "../http/status-error.ts";
import type { JsonObject } from "../json.ts";
import type { Schema } from "../schema/schema.ts";
import type { ResourceName, StoredObject } from "../store/stored-object.ts";

/** A column of a Table answer. */
export type Column = {
  name: string;
  type: string;
  format?: string;
  priority?: number;
  description?: string;
  value(object: StoredObject, now: number): unknown;
};

/** Where a kind keeps what `/scale` reads and writes. */
export type ScalePaths = { replicas: string[]; statusReplicas: string[]; selector?: string[] };

/** What a kind needs from around it when an object is written. */
export type KindContext = {
  now: number;
  list(resource: ResourceName): readonly StoredObject[];
};

/** One version of a kind that is served, with all in which it differs from other kinds. */
export type ServedKind = {
  group: string;
  version: string;
  kind: string;
  listKind: string;
  plural: string;
  singular: string;
  shortNames: readonly string[];
  categories: readonly string[];
  namespaced: boolean;
  /** Its place in the store, shared by the versions of the kind. */
  resource: ResourceName;
  schema: Schema;
  custom: boolean;
  /** What an object of this kind with nothing in it looks like: a new one is compared with it to see who owns what. */
  zero: JsonObject;
  status: boolean;
  /** Metadata that a built-in kind's `/status` does not write. */
  keptByStatus: readonly ("labels" | "annotations" | "finalizers" | "ownerReferences")[];
  scale?: ScalePaths;
  /** Which fields make a new generation. */
  generation: "none" | "spec" | "all";
  /** Whether an update may leave the resourceVersion out. */
  unconditionalUpdate: boolean;
  createOnUpdate: boolean;
  /** Fills in what the kind sets where nothing is given. */
  setDefaults?(object: StoredObject): StoredObject;
  /** What becomes of an object between its decoding and its validation. */
  prepareCreate?(object: StoredObject, context: KindContext): StoredObject;
  prepareUpdate?(next: StoredObject, live: StoredObject, context: KindContext): StoredObject;
  /** What else a deletion changes of an object that waits for it. */
  markDeleting?(object: StoredObject, live: StoredObject): StoredObject;
  /** What is wrong with an object, beyond its metadata. */
  validate?(object: StoredObject, live: StoredObject | undefined): StatusCause[];
  /** The same of a status update, where it differs. */
  validateStatus?(object: StoredObject, live: StoredObject | undefined): StatusCause[];
  /** Whether empty lists are looked at before they are dropped, by `finish`. */
  keepsEmptyLists?: boolean;
  /** The last touch before an object is stored. */
  finish?(object: StoredObject): StoredObject;
  /** Makes the object of this version out of the stored one, where they differ in more than the apiVersion. */
  fromStored?(object: StoredObject): StoredObject;
  toStored?(object: StoredObject): StoredObject;
  columns: readonly Column[];
  /** Field selectors beyond `metadata.name` and `metadata.namespace`. */
  selectable: Record<string, readonly string[]>;
  /** Whether its CRD is being deleted, so that no object of it may be made. */
  terminating?: boolean;
  /** What errors of validation name, where that is another group's kind. */
  invalidAs?: { group: string; kind: string };
  /** What a client of a deprecated version is warned of. */
  deprecation?: string;
};

export function apiVersionOf({ group, version }: { group: string; version: string }): string {
  return group ? `${group}/${version}` : version;
}
