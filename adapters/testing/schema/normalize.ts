import { isObject, type JsonObject } from "../json.ts";
import type { ServedKind } from "../kinds/served-kind.ts";
import { fieldSchema, type Schema } from "./schema.ts";

/** Optional booleans and numbers that are pointers in the API's types, so that false and 0 are kept. */
const KEPT_WHEN_ZERO = new Set(
  (
    "immutable automountServiceAccountToken replicas revisionHistoryLimit progressDeadlineSeconds optional port " +
    "terminationGracePeriodSeconds activeDeadlineSeconds runAsUser runAsGroup runAsNonRoot fsGroup privileged " +
    "allowPrivilegeEscalation readOnlyRootFilesystem enableServiceLinks shareProcessNamespace hostUsers mode " +
    "defaultMode controller blockOwnerDeletion allocateLoadBalancerNodePorts leaseDurationSeconds leaseTransitions " +
    "setHostnameAsFQDN priority timeoutSeconds containerPort maxSurge maxUnavailable value expirationSeconds " +
    "tolerationSeconds preserveUnknownFields endPort"
  ).split(" "),
);

/** A built-in kind's object as Go's encoder would give it back: no nulls, and no optional field that is empty. */
export function normalize(object: JsonObject, kind: ServedKind): JsonObject {
  return clean(object, kind.schema) as JsonObject;
}

function clean(value: unknown, schema: Schema | undefined): unknown {
  if (!schema) return value;
  if (Array.isArray(value)) return value.map((item) => clean(item, schema.items));
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const [field, inner] of Object.entries(value)) {
    if (inner === null || inner === undefined) continue;
    const known = fieldSchema(schema, field);
    if (!isOmitted(field, inner, schema)) result[field] = clean(inner, known);
  }
  return result;
}

function isOmitted(field: string, value: unknown, schema: Schema): boolean {
  if (!schema.properties || !Object.hasOwn(schema.properties, field)) return false;
  if (schema.required?.includes(field)) return false;
  if (value === "") return true;
  if (value === false || value === 0) return !KEPT_WHEN_ZERO.has(field);
  if (Array.isArray(value)) return value.length === 0;
  const map = schema.properties[field]?.additionalProperties !== undefined;
  return map && isObject(value) && Object.keys(value).length === 0;
}
