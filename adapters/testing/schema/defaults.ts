import { isObject, type JsonObject } from "../json.ts";
import { fieldSchema, type Schema } from "./schema.ts";

/**
 * The value with the defaults of its schema.
 * @param keepNulls whether a null stays where none may be and no default takes its place: an apply's is refused later.
 */
export function withDefaults(value: unknown, schema: Schema | undefined, keepNulls = false): unknown {
  if (!schema) return value;
  if (Array.isArray(value)) {
    return schema.items ? value.map((item) => withDefaults(item, schema.items, keepNulls)) : value;
  }
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const [field, inner] of Object.entries(value)) {
    const known = fieldSchema(schema, field);
    const misplaced = inner === null && known !== undefined && !known.nullable;
    if (!misplaced || (keepNulls && known.default === undefined)) result[field] = inner;
  }
  for (const [field, known] of Object.entries(schema.properties ?? {})) {
    if (result[field] === undefined && known.default !== undefined) result[field] = structuredClone(known.default);
  }
  for (const field of Object.keys(result)) {
    result[field] = withDefaults(result[field], fieldSchema(schema, field), keepNulls);
  }
  return result;
}
