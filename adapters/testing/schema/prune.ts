import { isObject, type JsonObject } from "../json.ts";
import { fieldSchema, type Schema } from "./schema.ts";

/**
 * The value without the fields that its schema does not know.
 * @param unknown collects their paths, `spec.foo`, `spec.list[0].foo`.
 */
export function prune(value: unknown, schema: Schema | undefined, path: string, unknown: string[]): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => prune(item, schema?.items, `${path}[${index}]`, unknown));
  }
  if (!isObject(value) || !schema || isOpen(schema)) return value;
  const result: JsonObject = {};
  for (const [field, inner] of Object.entries(value)) {
    const innerPath = path ? `${path}.${field}` : field;
    const known = fieldSchema(schema, field);
    if (known) result[field] = prune(inner, known, innerPath, unknown);
    else if (schema["x-kubernetes-preserve-unknown-fields"] || schema.additionalProperties === true)
      result[field] = inner;
    else unknown.push(innerPath);
  }
  return result;
}

/** A definition of the built-in kinds that says nothing: any JSON. */
function isOpen(schema: Schema): boolean {
  return !schema.type && !schema.properties && !schema.items;
}
