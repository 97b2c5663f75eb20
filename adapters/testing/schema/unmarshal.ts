import { goTypeOf } from "../http/body.ts";
import { isObject } from "../json.ts";
import { matchesFormat } from "./formats.ts";
import { goTimeError, isGoTime } from "./go-time.ts";
import { fieldSchema, type Schema } from "./schema.ts";

/** The struct that holds a field, and the way to it, as Go's decoder names them. */
type Place = { struct: string; path: string };

/**
 * The first value that does not fit a built-in kind's types, in the words of Go's decoder; undefined where all fits.
 * @param struct the name of the object's own type.
 */
export function unmarshalError(value: unknown, schema: Schema | undefined, struct: string): string | undefined {
  return check(value, schema, { struct, path: "" });
}

function check(value: unknown, schema: Schema | undefined, place: Place): string | undefined {
  if (!schema || value === null || value === undefined) return undefined;
  if (!fits(value, schema)) {
    return `json: cannot unmarshal ${goTypeOf(value)} into Go struct field ${place.struct}.${place.path} of type ${goName(schema)}`;
  }
  if (schema.format === "byte" && value !== "" && !matchesFormat("byte", value as string)) {
    return `illegal base64 data at input byte ${badByte(value as string)}`;
  }
  if (isGoTime(schema)) return goTimeError(value as string, schema.goName);
  if (Array.isArray(value)) return firstOf(value.map((item) => () => check(item, schema.items, place)));
  if (!isObject(value)) return undefined;
  const struct = schema.goName ?? place.struct;
  return firstOf(
    Object.entries(value).map(([field, inner]) => () => {
      const known = fieldSchema(schema, field);
      const isMap = !schema.properties;
      const path = isMap ? place.path : [place.path, field].filter(Boolean).join(".");
      return check(inner, known, { struct: isMap ? place.struct : struct, path });
    }),
  );
}

function firstOf(checks: (() => string | undefined)[]): string | undefined {
  for (const run of checks) {
    const found = run();
    if (found !== undefined) return found;
  }
  return undefined;
}

function fits(value: unknown, schema: Schema): boolean {
  if (schema["x-kubernetes-int-or-string"]) return typeof value === "string" || Number.isInteger(value);
  switch (schema.type) {
    case "string":
      return typeof value === "string" || (schema.oneOf !== undefined && typeof value === "number");
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    default:
      return true;
  }
}

function goName(schema: Schema): string {
  if (schema.type === "boolean") return "bool";
  if (schema.type === "integer") return schema.format ?? "int";
  if (schema.type === "array") return `[]${schema.items ? goName(schema.items) : "interface {}"}`;
  if (schema.type !== "object") return schema.type ?? "interface {}";
  if (typeof schema.additionalProperties === "object") return `map[string]${goName(schema.additionalProperties)}`;
  return schema.goName ? `v1.${schema.goName}` : "map[string]interface {}";
}

function badByte(text: string): number {
  const found = text.search(/[^A-Za-z0-9+/=]/);
  return found < 0 ? text.length : found;
}
