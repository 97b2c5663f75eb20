import { isObject, type JsonObject } from "../json.ts";
import type { ServedKind } from "../kinds/served-kind.ts";
import { isGoTime, writtenTime } from "./go-time.ts";
import { fieldSchema, type Schema } from "./schema.ts";

/** Optional booleans and numbers that are pointers in the API's types, so that false and 0 are kept. */
const KEPT_WHEN_ZERO = new Set(
  (
    "immutable automountServiceAccountToken replicas revisionHistoryLimit progressDeadlineSeconds optional port " +
    "terminationGracePeriodSeconds activeDeadlineSeconds runAsUser runAsGroup runAsNonRoot fsGroup privileged " +
    "allowPrivilegeEscalation readOnlyRootFilesystem enableServiceLinks shareProcessNamespace hostUsers mode " +
    "defaultMode controller blockOwnerDeletion allocateLoadBalancerNodePorts leaseDurationSeconds leaseTransitions " +
    "setHostnameAsFQDN PodSpec.priority timeoutSeconds containerPort maxSurge maxUnavailable expirationSeconds " +
    "tolerationSeconds minimum maximum minLength maxLength minItems maxItems minProperties maxProperties multipleOf " +
    "x-kubernetes-preserve-unknown-fields"
  ).split(" "),
);

/**
 * A built-in kind's object as Go's encoder would give it back: no nulls (in lists and maps the zero value), and no
 * optional field that is empty.
 */
export function normalize(object: JsonObject, kind: ServedKind): JsonObject {
  return clean(object, kind.schema, kind.keepsEmptyLists === true) as JsonObject;
}

/** The same of any value. */
export function normalizeValue(value: unknown, schema: Schema | undefined): unknown {
  return clean(value, schema, false);
}

function clean(value: unknown, schema: Schema | undefined, keepLists: boolean): unknown {
  if (!schema) return value;
  if (isGoTime(schema) && typeof value === "string") return writtenTime(value, schema.goName);
  if (Array.isArray(value)) return value.map((item) => clean(item ?? zeroOf(schema.items), schema.items, keepLists));
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const [field, given] of Object.entries(value)) {
    const known = fieldSchema(schema, field);
    const inner = given ?? (schema.properties ? undefined : zeroOf(known));
    if (inner === undefined || inner === null) continue;
    if (!isOmitted(field, inner, schema, keepLists)) result[field] = clean(inner, known, keepLists);
  }
  return result;
}

/** What Go's decoder makes of a null in a list or a map. */
function zeroOf(schema: Schema | undefined): unknown {
  const zeros: Record<string, unknown> = { string: "", integer: 0, number: 0, boolean: false, object: {}, array: [] };
  return zeros[schema?.type ?? ""] ?? null;
}

function isOmitted(field: string, value: unknown, schema: Schema, keepLists: boolean): boolean {
  const known = schema.properties && Object.hasOwn(schema.properties, field) ? schema.properties[field] : undefined;
  if (!known || schema.required?.includes(field) || isAnything(known)) return false;
  if (value === "") return true;
  if (value === false || value === 0)
    return !KEPT_WHEN_ZERO.has(field) && !KEPT_WHEN_ZERO.has(`${schema.goName}.${field}`);
  if (Array.isArray(value)) return value.length === 0 && !keepLists;
  return known.additionalProperties !== undefined && isObject(value) && Object.keys(value).length === 0;
}

/** A raw JSON value, `default: false` for one. */
function isAnything(schema: Schema): boolean {
  return !schema.type && !schema.oneOf;
}
