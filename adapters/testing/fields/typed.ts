import { isObject } from "../json.ts";
import { fieldSchema, mergingOf, type Schema } from "../schema/schema.ts";
import { printPath } from "./field-set.ts";
import { itemElement } from "./path-element.ts";

/**
 * The first that does not fit of an applied object, as apply says it: a wrong type, an unknown field, an item twice in a
 * merged list. Undefined where all fits.
 */
export function typedError(value: unknown, schema: Schema, path: readonly string[] = []): string | undefined {
  const wrong = typeError(value, schema);
  if (wrong) return `${printPath(path)}: ${wrong}`;
  if (Array.isArray(value)) return schema.items && listError(value, schema, schema.items, path);
  if (!isObject(value)) return undefined;
  const open =
    schema["x-kubernetes-preserve-unknown-fields"] === true ||
    schema.additionalProperties === true ||
    (!schema.properties && !schema.additionalProperties);
  for (const [field, inner] of Object.entries(value)) {
    const known = fieldSchema(schema, field);
    const at = [...path, `f:${field}`];
    if (!known && !open) return `${printPath(at)}: field not declared in schema`;
    const error = known && typedError(inner, known, at);
    if (error) return error;
  }
  return undefined;
}

function listError(
  list: readonly unknown[],
  schema: Schema,
  items: Schema,
  path: readonly string[],
): string | undefined {
  const merged = mergingOf(schema, list) !== "atomic";
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    const element = merged ? itemElement(schema, item) : `i:${index}`;
    if (seen.has(element)) return `${printPath(path)}: duplicate entries for key ${printPath([element])}`;
    seen.add(element);
    const error = typedError(item, items, [...path, element]);
    if (error) return error;
  }
  return undefined;
}

function typeError(value: unknown, schema: Schema): string | undefined {
  if (value === null || value === undefined || schema["x-kubernetes-int-or-string"]) return undefined;
  switch (schema.type) {
    case "string":
      return typeof value === "string"
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${goText(value)}}`;
    case "integer":
    case "number":
      return typeof value === "number" ? undefined : `expected numeric (int or float), got ${goKind(value)}`;
    case "boolean":
      return typeof value === "boolean" ? undefined : `expected boolean, got &{${goText(value)}}`;
    case "array":
      return Array.isArray(value) ? undefined : `expected list, got &{${goText(value)}}`;
    case "object":
      return isObject(value) ? undefined : `expected map, got &{${goText(value)}}`;
    default:
      return undefined;
  }
}

function goKind(value: unknown): string {
  return Array.isArray(value) ? "list" : isObject(value) ? "map" : typeof value;
}

/** A value as Go prints it. */
function goText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(" ")}]`;
  if (!isObject(value)) return String(value);
  return `map[${Object.keys(value)
    .sort()
    .map((key) => `${key}:${goText(value[key])}`)
    .join(" ")}]`;
}
