import { isObject, type JsonObject } from "../json.ts";
import { fieldSchema, type Schema } from "./schema.ts";

/** The value with the defaults of its schema. A null where none may be is dropped, or becomes the default. */
export function withDefaults(value: unknown, schema: Schema | undefined): unknown {
  if (!schema) return value;
  if (Array.isArray(value)) return schema.items ? value.map((item) => withDefaults(item, schema.items)) : value;
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const [field, inner] of Object.entries(value)) {
    const known = fieldSchema(schema, field);
    if (inner === null && known && !known.nullable) continue;
    result[field] = inner;
  }
  for (const [field, known] of Object.entries(schema.properties ?? {})) {
    if (result[field] === undefined && known.default !== undefined) result[field] = structuredClone(known.default);
  }
  for (const field of Object.keys(result)) result[field] = withDefaults(result[field], fieldSchema(schema, field));
  return result;
}
