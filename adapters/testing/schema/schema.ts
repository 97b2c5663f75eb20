import { isObject, type JsonObject } from "../json.ts";

/** A structural schema as the API server knows it: of a custom resource, or of a built-in kind's OpenAPI. */
export type Schema = {
  type?: string;
  format?: string;
  nullable?: boolean;
  default?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  not?: Schema;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: boolean;
  exclusiveMaximum?: boolean;
  multipleOf?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minProperties?: number;
  maxProperties?: number;
  /** The name of the Go type, of built-in kinds only: error messages carry it. */
  goName?: string;
  "x-kubernetes-preserve-unknown-fields"?: boolean;
  "x-kubernetes-int-or-string"?: boolean;
  "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  "x-kubernetes-list-map-keys"?: string[];
  "x-kubernetes-map-type"?: "atomic" | "granular";
};

/** The schema of one field of an object, undefined where the schema does not know it. */
export function fieldSchema(schema: Schema | undefined, field: string): Schema | undefined {
  const own = schema?.properties;
  if (own && Object.hasOwn(own, field)) return own[field];
  return typeof schema?.additionalProperties === "object" ? schema.additionalProperties : undefined;
}

/** Whether a field is named by the schema, and not only admitted by `additionalProperties`. */
export function isNamedField(schema: Schema | undefined, field: string): boolean {
  return schema?.properties !== undefined && Object.hasOwn(schema.properties, field);
}

export type Merging = "atomic" | "set" | "map" | "granular" | "scalar";

/** How server-side apply merges a value. Without a schema objects merge by field, and lists are replaced. */
export function mergingOf(schema: Schema | undefined, value: unknown): Merging {
  if (Array.isArray(value)) return schema?.["x-kubernetes-list-type"] ?? "atomic";
  if (isObject(value)) return schema?.["x-kubernetes-map-type"] ?? "granular";
  return "scalar";
}

/** A list item's value for one of the keys that identify it; the schema's default stands in for an absent one. */
export function listKey(items: Schema | undefined, item: JsonObject, key: string): unknown {
  return item[key] ?? items?.properties?.[key]?.default ?? null;
}

/** What must be unique among the items of a set or of a list with keys; undefined where nothing must. */
export function itemIdentity(list: Schema, item: unknown): unknown {
  const type = list["x-kubernetes-list-type"];
  if (type === "set") return item;
  if (type !== "map" || !isObject(item)) return undefined;
  return Object.fromEntries(
    (list["x-kubernetes-list-map-keys"] ?? []).map((key) => [key, listKey(list.items, item, key)]),
  );
}
