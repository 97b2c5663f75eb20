import { type StructuralSchema, UnstructuralError } from "./structural-schema.ts";

/**
 * One of these values.
 * @throws UnstructuralError where they are of several types, or null is one: the API server refuses null for every enum.
 */
export function valuesSchema(values: readonly unknown[], path: string): StructuralSchema {
  const types = new Set(values.map((value) => (Number.isInteger(value) ? "integer" : typeof value)));
  if (types.has("integer") && types.has("number")) types.delete("integer");
  const [type] = types;
  if (values.includes(null)) throw nullableEnum(path);
  const known = type === "string" || type === "boolean" || type === "integer" || type === "number";
  if (type === undefined) throw new UnstructuralError(path, "an enum or literal without values", "name some");
  if (types.size !== 1 || !known)
    throw new UnstructuralError(path, `one of ${values.map(String).join(", ")}`, "let all be strings, or all numbers");
  return { type, enum: values as (string | number | boolean)[] };
}

/** @throws UnstructuralError for an enum. */
export function nullable(schema: StructuralSchema, path: string): StructuralSchema {
  if (schema.enum) throw nullableEnum(path);
  return { ...schema, nullable: true };
}

/** Seen on 1.36: null is refused even where it is listed. */
function nullableEnum(path: string): UnstructuralError {
  return new UnstructuralError(path, "an enum or literal that may be null", "make it optional");
}

/**
 * One of several schemas: enums become one, bounds of one scalar type are alternatives, and integer or string is a type
 * that Kubernetes knows.
 * @throws UnstructuralError for all others: alternatives cannot have types or fields of their own.
 */
export function unionSchema(
  all: readonly StructuralSchema[],
  path: string,
  junctor: "anyOf" | "oneOf",
): StructuralSchema {
  const options = all.map(({ description: _, nullable: __, ...rest }) => rest);
  const [first] = options;
  if (first === undefined) throw new UnstructuralError(path, "a union of nothing", "name its options");
  const union = options.length === 1 ? first : alternatives(options, path, junctor);
  return all.some((option) => option.nullable) ? nullable(union, path) : union;
}

function alternatives(
  options: readonly StructuralSchema[],
  path: string,
  junctor: "anyOf" | "oneOf",
): StructuralSchema {
  if (options.every((option) => option.enum)) return valuesSchema([...new Set(options.flatMap((o) => o.enum))], path);
  const types = new Set(options.map((option) => option.type));
  const [type] = types;
  if (types.size === 1 && (type === "string" || type === "number" || type === "integer" || type === "boolean")) {
    const bounds = options.map(({ type: _, ...rest }) => rest);
    const free = junctor === "anyOf" && bounds.some((bound) => Object.keys(bound).length === 0);
    return free ? { type } : { type, [junctor]: bounds };
  }
  if (types.size === 2 && options.length === 2 && types.has("integer") && types.has("string"))
    return intOrString(options, path);
  const names = [...types].map((name) => name ?? "anything").join(" and ");
  throw new UnstructuralError(
    path,
    `a union of ${names}`,
    types.has("object")
      ? "use one object with optional fields"
      : "use one type, z.int() beside z.string(), or z.unknown() with refine()",
  );
}

/** Bounds hold for values of their own type only, so that those of both stand side by side. */
function intOrString(options: readonly StructuralSchema[], path: string): StructuralSchema {
  const bounds = options.map(({ type: _, format: __, ...rest }) => rest);
  if (bounds.some((bound) => bound.enum || bound.allOf || bound.anyOf || bound.oneOf))
    throw new UnstructuralError(path, "an enum or alternatives inside integer or string", "check it by refine()");
  return {
    "x-kubernetes-int-or-string": true,
    anyOf: [{ type: "integer" }, { type: "string" }],
    ...bounds[0],
    ...bounds[1],
  };
}
