import * as z from "zod";
import { lengthBounds, numberSchema, patternSchema, stringSchema } from "./crd-scalar.ts";
import { nullable, unionSchema, valuesSchema } from "./crd-union.ts";
import { sameJson } from "./status-patch.ts";
import { type StructuralSchema, UnstructuralError } from "./structural-schema.ts";

/** Where a schema stands: its path, and the schemas around it, by which recursion shows. */
type Place = { path: string; above: readonly z.core.$ZodType[]; transforms: boolean };

/** What zod has and JSON or a structural schema has not, with what to write instead. */
const instead: Record<string, string> = {
  bigint: "use z.int(), or a string",
  custom: "use z.unknown().refine()",
  date: "use z.iso.datetime()",
  intersection: "use one object, or extend()",
  map: "use z.record()",
  null: "use nullable()",
  set: "use z.array()",
  transform: "pipe a schema of what is stored into it",
  tuple: "use z.array(), or an object with named fields",
};

const open: StructuralSchema = { "x-kubernetes-preserve-unknown-fields": true };

/**
 * The structural schema of what zod accepts as input. Refinements, key checks of records and a few formats are beyond it:
 * `parse` alone checks those. Checks behind `trim()` and the like hold for the text as it is written.
 *
 * @param transforms `false` where a value is read as it was written, so that nothing may change it.
 * @throws UnstructuralError with the path and the construct that the API server cannot be told.
 */
export function structuralSchema(schema: z.core.$ZodType, path: string, transforms = true): StructuralSchema {
  return convert(schema, { path, above: [], transforms });
}

function convert(schema: z.core.$ZodType, place: Place): StructuralSchema {
  if (place.above.includes(schema))
    throw new UnstructuralError(place.path, "recursion", "use z.unknown() with refine()");
  const result = byType(schema as z.core.$ZodTypes, { ...place, above: [...place.above, schema] });
  const description = z.globalRegistry.get(schema)?.description;
  return description ? { ...result, description } : result;
}

function byType(schema: z.core.$ZodTypes, place: Place): StructuralSchema {
  const { path } = place;
  const { def } = schema._zod;
  switch (def.type) {
    case "string":
      return stringSchema(schema, path);
    case "template_literal":
      return patternSchema((schema as z.core.$ZodTemplateLiteral)._zod.pattern, path);
    case "number":
      return numberSchema(schema as z.core.$ZodNumber);
    case "boolean":
      return { type: "boolean" };
    case "any":
    case "unknown":
      return { ...open, nullable: true };
    case "enum":
    case "literal":
      return valuesSchema(
        [...(schema._zod.values ?? [])].filter((value) => value !== undefined),
        path,
      );
    case "array": {
      const { min, max } = lengthBounds(schema);
      return {
        type: "array",
        items: convert(def.element, { ...place, path: `${path}[]` }),
        ...(min !== undefined && { minItems: min }),
        ...(max !== undefined && { maxItems: max }),
      };
    }
    case "object":
      return objectSchema(def, place);
    case "record":
      return recordSchema(def, place);
    case "union": {
      const options = def.options.filter((option) => !isNull(option) && !isUndefined(option));
      const junctor = def.inclusive === false ? "oneOf" : "anyOf";
      const converted = options.map((option) => convert(option, place));
      const union = unionSchema(converted, path, junctor);
      return def.options.some(isNull) ? nullable(union, path) : union;
    }
    case "intersection":
      return intersectionSchema(convert(def.left, place), convert(def.right, place), path);
    case "nullable":
      return nullable(convert(def.innerType, place), path);
    case "optional":
    case "nonoptional":
    case "readonly":
    case "catch":
      return convert(def.innerType, place);
    case "default":
    case "prefault":
      return { ...convert(def.innerType, place), ...defaultOf(def) };
    case "lazy":
      return convert((schema as z.core.$ZodLazy)._zod.innerType, place);
    case "pipe":
      if (!place.transforms)
        throw new UnstructuralError(path, "a pipe or transform of a status", "keep it as it is stored");
      return convert((def.in as z.core.$ZodTypes)._zod.def.type === "transform" ? def.out : def.in, place);
    default:
      throw new UnstructuralError(path, def.type, instead[def.type] ?? "leave it out");
  }
}

function objectSchema(def: z.core.$ZodObjectDef, place: Place): StructuralSchema {
  const fields = Object.entries(def.shape);
  const rest = def.catchall as z.core.$ZodTypes | undefined;
  const kept = rest?._zod.def.type === "unknown" || rest?._zod.def.type === "any";
  if (rest && !kept && rest._zod.def.type !== "never") {
    if (fields.length === 0) return mapSchema(rest, place);
    throw new UnstructuralError(
      place.path,
      "fields beside a typed catchall",
      "put the others in a z.record() of their own",
    );
  }
  return { ...fieldsSchema(fields, place), ...(kept && open) };
}

function recordSchema(def: z.core.$ZodRecordDef, place: Place): StructuralSchema {
  const keys = def.keyType._zod.values;
  if (def.mode === "loose") return { type: "object", ...open };
  if (!keys) return mapSchema(def.valueType, place);
  const { required, ...fields } = fieldsSchema(
    [...keys].map((key) => [String(key), def.valueType]),
    place,
  );
  return def.partial || !required ? fields : { ...fields, required };
}

function mapSchema(value: z.core.$ZodType, place: Place): StructuralSchema {
  return { type: "object", additionalProperties: convert(value, { ...place, path: `${place.path}.*` }) };
}

function fieldsSchema(fields: readonly (readonly [string, z.core.$ZodType])[], place: Place): StructuralSchema {
  const properties = fields.map(([name, field]) => [name, convert(field, { ...place, path: `${place.path}.${name}` })]);
  const required = fields.flatMap(([name, field]) => (field._zod.optin === undefined ? [name] : []));
  return {
    type: "object",
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(required.length > 0 && { required }),
  };
}

function intersectionSchema(left: StructuralSchema, right: StructuralSchema, path: string): StructuralSchema {
  const sides = [left, right];
  const shared = Object.keys(left.properties ?? {}).filter((name) => name in (right.properties ?? {}));
  if (sides.some((side) => side.type !== "object" || side.additionalProperties) || shared.length > 0) {
    const what = shared.length > 0 ? `an intersection with ${shared.join(", ")} on both sides` : "an intersection";
    throw new UnstructuralError(path, what, instead.intersection!);
  }
  const required = sides.flatMap((side) => side.required ?? []);
  return {
    ...left,
    ...right,
    properties: { ...left.properties, ...right.properties },
    ...(required.length > 0 && { required }),
  };
}

/**
 * The default that the API server may fill in: a constant that the schema takes and leaves as it is. Any other is set by
 * `parse` only. A null is one of those: the API server drops it from a CustomResourceDefinition.
 */
function defaultOf(def: z.core.$ZodDefaultDef | z.core.$ZodPrefaultDef): Pick<StructuralSchema, "default"> {
  const text = JSON.stringify(def.defaultValue);
  if (text === undefined || text === "null" || text !== JSON.stringify(def.defaultValue)) return {};
  const value: NonNullable<unknown> = JSON.parse(text);
  const parsed = z.safeParse(def.innerType, value);
  if (!parsed.success) return {};
  return def.type === "prefault" || sameJson(parsed.data, value) ? { default: value } : {};
}

function isNull(schema: z.core.$ZodType): boolean {
  const { def, values } = (schema as z.core.$ZodTypes)._zod;
  return def.type === "null" || (def.type === "literal" && values?.size === 1 && values.has(null));
}

function isUndefined(schema: z.core.$ZodType): boolean {
  return (schema as z.core.$ZodTypes)._zod.def.type === "undefined";
}
