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
  storageVersion: string;
  schema: Schema;
  custom: boolean;
  /** What an object of this kind with nothing in it looks like: a new one is compared with it to see who owns what. */
  zero: JsonObject;
  status: boolean;
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
  /** What is wrong with an object, beyond its metadata. */
  validate?(object: StoredObject, live: StoredObject | undefined): StatusCause[];
  columns: readonly Column[];
  /** Field selectors beyond `metadata.name` and `metadata.namespace`. */
  selectable: Record<string, readonly string[]>;
  /** Other versions of the kind that are served, for converting. */
  deprecation?: string;
};

export function apiVersionOf({ group, version }: { group: string; version: string }): string {
  return group ? `${group}/${version}` : version;
}
