import { notServed, type StatusCause } from "../http/status-error.ts";
import { isObject } from "../json.ts";
import { forbiddenValue, invalidValue, required, unsupportedValue } from "../schema/causes.ts";
import { isForeign, patternProblem } from "../schema/pattern.ts";
import { prune } from "../schema/prune.ts";
import type { Schema } from "../schema/schema.ts";
import { validate } from "../schema/validate.ts";
import { junctorCauses } from "./crd-junctors.ts";

const TYPES = ["array", "boolean", "integer", "number", "object", "string"];
const MAP_TYPES = ["atomic", "granular"];
const LIST_TYPES = ["atomic", "map", "set"];

/**
 * What keeps a schema from being structural.
 * @throws StatusError 501 where it has validation rules in CEL, an object within the object, or a pattern in Go's own syntax.
 */
export function schemaCauses(schema: Schema, path: string): StatusCause[] {
  for (const extension of ["x-kubernetes-validations", "x-kubernetes-embedded-resource"]) {
    if (extension in schema) throw notServed(`a CRD with ${extension}`);
  }
  const causes = [
    ...typeCauses(schema, path),
    ...patternCauses(schema, path),
    ...listCauses(schema, path),
    ...mapCauses(schema, path),
    ...defaultCauses(schema, path),
    ...junctorCauses(schema, path),
  ];
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    causes.push(invalidValue(`${path}.x-kubernetes-preserve-unknown-fields`, false, "must be true or undefined"));
  }
  if (schema.uniqueItems) {
    const why = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
    causes.push(forbiddenValue(`${path}.uniqueItems`, why));
  }
  if (schema.properties && schema.additionalProperties !== undefined) {
    causes.push(
      forbiddenValue(`${path}.additionalProperties`, "additionalProperties and properties are mutual exclusive"),
    );
  }
  for (const [field, inner] of Object.entries(schema.properties ?? {})) {
    causes.push(...schemaCauses(inner, `${path}.properties[${field}]`));
  }
  if (isObject(schema.additionalProperties) && !schema.properties) {
    causes.push(...schemaCauses(schema.additionalProperties, `${path}.additionalProperties`));
  }
  if (schema.items) causes.push(...schemaCauses(schema.items, `${path}.items`));
  return causes;
}

function typeCauses(schema: Schema, path: string): StatusCause[] {
  const { type } = schema;
  const free = schema["x-kubernetes-int-or-string"] || schema["x-kubernetes-preserve-unknown-fields"];
  if (!type) return free ? [] : [required(`${path}.type`, whatFor(path))];
  if (!TYPES.includes(type)) return [unsupportedValue(`${path}.type`, type, TYPES)];
  if (type === "array" && !schema.items) return [required(`${path}.items`, "must be specified")];
  return [];
}

function patternCauses({ pattern }: Schema, path: string): StatusCause[] {
  if (!pattern) return [];
  const problem = patternProblem(pattern);
  if (problem) return [invalidValue(`${path}.pattern`, pattern, problem)];
  if (isForeign(pattern)) throw notServed(`a CRD with the pattern ${pattern}`);
  return [];
}

function mapCauses(schema: Schema, path: string): StatusCause[] {
  const type = schema["x-kubernetes-map-type"];
  if (type === undefined) return [];
  if (!MAP_TYPES.includes(type)) return [unsupportedValue(`${path}.x-kubernetes-map-type`, type, MAP_TYPES)];
  const why = "must be object if x-kubernetes-map-type is specified";
  return schema.type === "object" ? [] : [invalidValue(`${path}.type`, schema.type ?? "", why)];
}

/** An item of a set is compared as a whole. */
function setCauses({ items }: Schema, path: string): StatusCause[] {
  const list = items?.type === "array" && items["x-kubernetes-list-type"];
  const isMerged = list === "set" || list === "map";
  const isGranular = items?.type === "object" && items["x-kubernetes-map-type"] !== "atomic";
  if (!isMerged && !isGranular) return [];
  const [field, value] = isMerged ? ["list", list] : ["map", items?.["x-kubernetes-map-type"] ?? null];
  const why = "must be atomic as item of a list with x-kubernetes-list-type=set";
  return [invalidValue(`${path}.items.x-kubernetes-${field}-type`, value, why)];
}

function whatFor(path: string): string {
  if (path.endsWith(".items")) return "must not be empty for specified array items";
  if (path.endsWith("]")) return "must not be empty for specified object fields";
  return path.endsWith(".additionalProperties")
    ? "must not be empty for specified object fields"
    : "must not be empty at the root";
}

function listCauses(schema: Schema, path: string): StatusCause[] {
  const type = schema["x-kubernetes-list-type"];
  if (type === undefined) return [];
  if (!LIST_TYPES.includes(type)) return [unsupportedValue(`${path}.x-kubernetes-list-type`, type, LIST_TYPES)];
  if (schema.type !== "array") {
    const why = "must be array if x-kubernetes-list-type is set";
    return [invalidValue(`${path}.type`, schema.type ?? "", why)];
  }
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  if (type === "set") return setCauses(schema, path);
  if (type !== "map") return [];
  if (keys.length === 0) {
    return [required(`${path}.x-kubernetes-list-map-keys`, "must not be empty if x-kubernetes-list-type is map")];
  }
  return keys.flatMap((key, index) => {
    const property = schema.items?.properties?.[key];
    if (!property) {
      const why = "entries must all be names of item properties";
      return [invalidValue(`${path}.x-kubernetes-list-map-keys[${index}]`, key, why)];
    }
    if (schema.items?.required?.includes(key) || property.default !== undefined) return [];
    const why = "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property";
    return [required(`${path}.items.properties[${key}].default`, why)];
  });
}

function defaultCauses(schema: Schema, path: string): StatusCause[] {
  if (schema.default === undefined) return [];
  const field = `${path}.default`;
  const unknown: string[] = [];
  prune(schema.default, schema, "", unknown);
  if (unknown.length > 0) return [invalidValue(field, schema.default, "must not have unknown fields")];
  return validate(schema.default, schema, "").map((cause) => ({ ...cause, field: placed(field, cause.field) }));
}

function placed(field: string, inner: string | undefined): string {
  return !inner || inner === "<nil>" ? field : `${field}.${inner}`;
}
