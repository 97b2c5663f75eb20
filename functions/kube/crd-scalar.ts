import * as z from "zod";
import { goPattern } from "./crd-pattern.ts";
import { type StructuralSchema, UnstructuralError } from "./structural-schema.ts";

type CheckDef = z.core.$ZodChecks["_zod"]["def"];

/** The checks of a schema, itself among them where it is one (`z.email()`, `z.int()`). */
function checksOf(schema: z.core.$ZodType): CheckDef[] {
  const { def } = schema._zod;
  const checks = (def.checks ?? []).map((check) => check._zod.def);
  return ("check" in def ? [def, ...checks] : checks) as unknown as CheckDef[];
}

/** The narrowest bounds that the length checks of a string or an array ask for. */
export function lengthBounds(schema: z.core.$ZodType): { min?: number; max?: number } {
  let min = Number.NEGATIVE_INFINITY;
  let max = Number.POSITIVE_INFINITY;
  for (const check of checksOf(schema)) {
    if (check.check === "min_length") min = Math.max(min, check.minimum);
    if (check.check === "max_length") max = Math.min(max, check.maximum);
    if (check.check === "length_equals") [min, max] = [Math.max(min, check.length), Math.min(max, check.length)];
  }
  return { ...(Number.isFinite(min) && { min }), ...(Number.isFinite(max) && { max }) };
}

/**
 * A string, its formats told by their patterns. What zod writes itself and Go cannot read (an ISO duration's pattern) is left
 * to `parse`. Seen on 1.36: a `format` beside the type lets arrays pass, one in an `allOf` does not; only a URL, which has no
 * pattern, needs one.
 * @throws UnstructuralError for a pattern of the user's that Go cannot read.
 */
export function stringSchema(schema: z.core.$ZodType, path: string): StructuralSchema {
  const { min, max } = lengthBounds(schema);
  const patterns = new Set<string>();
  const formats: StructuralSchema[] = [];
  for (const check of checksOf(schema)) {
    if (check.check !== "string_format") continue;
    if (check.format === "url") formats.push({ format: "uri" });
    if (check.pattern === undefined) continue;
    const go = goPattern(check.pattern);
    if ("pattern" in go) patterns.add(go.pattern);
    else if (check.format === "regex") refusePattern(path, check.pattern, go.problem);
  }
  const [pattern, ...more] = patterns;
  const allOf = [...more.map((other) => ({ pattern: other })), ...formats];
  return {
    type: "string",
    ...(min !== undefined && { minLength: min }),
    ...(max !== undefined && { maxLength: max }),
    ...(pattern !== undefined && { pattern }),
    ...(allOf.length > 0 && { allOf }),
  };
}

/** A string of one pattern: a template literal. */
export function patternSchema(regex: RegExp, path: string): StructuralSchema {
  const go = goPattern(regex);
  if ("problem" in go) refusePattern(path, regex, go.problem);
  return { type: "string", pattern: go.pattern };
}

function refusePattern(path: string, regex: RegExp, problem: string): never {
  throw new UnstructuralError(path, `${problem} in the pattern ${regex}`, "write it without, or check it by refine()");
}

/** The formats that the API server checks, with the range that each implies. */
const numberFormats: Record<string, { type: "integer" | "number"; format: string; range?: [number, number] }> = {
  safeint: { type: "integer", format: "int64", range: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] },
  int32: { type: "integer", format: "int32", range: [-(2 ** 31), 2 ** 31 - 1] },
  uint32: { type: "integer", format: "int64" },
  float32: { type: "number", format: "float" },
  float64: { type: "number", format: "double" },
};

/** A number, with bounds as OpenAPI 3.0 writes them: an exclusive one is a flag beside it. */
export function numberSchema(schema: z.core.$ZodNumber): StructuralSchema {
  const checks = checksOf(schema);
  const named = checks.flatMap((check) => (check.check === "number_format" ? [check.format] : []));
  const format = numberFormats[named.find((name) => name !== "safeint") ?? named[0] ?? ""];
  const type = format?.type ?? "number";
  const [divisor, ...more] = new Set(
    checks.flatMap((check) => (check.check === "multiple_of" ? divisors(check.value) : [])),
  );
  return {
    type,
    ...(format && { format: format.format }),
    ...bounds(schema, type, format?.range ?? []),
    ...(divisor !== undefined && { multipleOf: divisor }),
    ...(more.length > 0 && { allOf: more.map((other) => ({ multipleOf: other })) }),
  };
}

/**
 * The bounds that the format does not imply. Seen on 1.36: where the value is a whole number the bound is taken for one of
 * 64 bits too. So one beyond that is left to `parse`, and an exclusive fraction is told as an inclusive one: 1 would not be
 * below 1.5.
 */
function bounds(schema: z.core.$ZodNumber, type: "integer" | "number", range: readonly number[]): StructuralSchema {
  const json = z.toJSONSchema(schema, { target: "openapi-3.0", io: "input", unrepresentable: "any" });
  const tellable = (bound: unknown, implied?: number) =>
    typeof bound === "number" && bound !== implied && Math.abs(bound) < 2 ** 63;
  const round = (bound: number, inwards: (value: number) => number) => (type === "integer" ? inwards(bound) : bound);
  const result: StructuralSchema = {};
  if (tellable(json.minimum, range[0])) {
    result.minimum = round(json.minimum!, Math.ceil);
    if (json.exclusiveMinimum && Number.isInteger(json.minimum)) result.exclusiveMinimum = true;
  }
  if (tellable(json.maximum, range[1])) {
    result.maximum = round(json.maximum!, Math.floor);
    if (json.exclusiveMaximum && Number.isInteger(json.maximum)) result.exclusiveMaximum = true;
  }
  return result;
}

/** Seen on 1.36: a divisor that is a fraction refuses every whole number, so that it is left to `parse`. */
function divisors(value: number | bigint): number[] {
  const divisor = Math.abs(Number(value));
  return Number.isSafeInteger(divisor) && divisor > 0 ? [divisor] : [];
}
