import type { StatusCause } from "../http/status-error.ts";
import { equal, isObject } from "../json.ts";
import { duplicateValue, invalidValue, required, tooLong, tooMany, unsupportedValue } from "./causes.ts";
import { matchesFormat } from "./formats.ts";
import { patternOf } from "./pattern.ts";
import { fieldSchema, itemIdentity, type Schema } from "./schema.ts";

/**
 * What of a value does not fit its schema, in the API server's words.
 * @param path the value's own, as the words name it.
 */
export function validate(value: unknown, schema: Schema | undefined, path: string): StatusCause[] {
  if (!schema || (value === null && schema.nullable)) return [];
  const causes = typeCauses(value, schema, path);
  if (value === null) return [...causes, ...enumCauses(value, schema, path)];
  causes.push(...combinedCauses(value, schema, path));
  if (typeof value === "string") causes.push(...stringCauses(value, schema, path));
  if (typeof value === "number") causes.push(...numberCauses(value, schema, path));
  if (Array.isArray(value)) causes.push(...arrayCauses(value, schema, path));
  causes.push(...enumCauses(value, schema, path));
  if (isObject(value)) causes.push(...objectCauses(value, schema, path));
  return causes;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return isInteger(value) ? "integer" : "number";
  return typeof value;
}

function typeCauses(value: unknown, schema: Schema, path: string): StatusCause[] {
  const type = typeOf(value);
  const wrong = (expected: string): StatusCause => {
    const message = `Invalid value: "${type}": ${path} in body must be of type ${expected}: "${type}"`;
    return { reason: "FieldValueTypeInvalid", message, field: path || "<nil>" };
  };
  if (schema["x-kubernetes-int-or-string"]) {
    return type === "integer" || type === "string" ? [] : [wrong("integer,string")];
  }
  if (!schema.type || schema.type === type || (schema.type === "number" && type === "integer")) return [];
  if (schema.type === "integer" && type === "number" && /^int(32|64)$/.test(schema.format ?? "")) {
    const message = `Invalid value: "float64": ${path} in body must be of type ${schema.format}: "float64"`;
    return [{ reason: "FieldValueTypeInvalid", message, field: path }];
  }
  return [wrong(schema.type)];
}

/** Whether a number is an integer to the API server, which has them in 64 bits. */
function isInteger(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

function enumCauses(value: unknown, schema: Schema, path: string): StatusCause[] {
  if (!schema.enum || schema.enum.some((option) => equal(option, value))) return [];
  return [unsupportedValue(path, value, schema.enum)];
}

function stringCauses(value: string, schema: Schema, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const length = [...value].length;
  if (length > (schema.maxLength ?? Infinity)) causes.push(tooLong(path, schema.maxLength!));
  if (length < (schema.minLength ?? 0)) {
    causes.push(invalidValue(path, value, `${path} in body should be at least ${schema.minLength} chars long`));
  }
  if (schema.pattern && patternOf(schema.pattern)?.test(value) === false) {
    causes.push(invalidValue(path, value, `${path} in body should match '${schema.pattern}'`));
  }
  if (schema.format && !matchesFormat(schema.format, value)) {
    const shown = JSON.stringify(value);
    const message = `Invalid value: ${shown}: ${path} in body must be of type ${schema.format}: ${shown}`;
    causes.push({ reason: "FieldValueTypeInvalid", message, field: path });
  }
  return causes;
}

function fitsBits(value: number, { type, format }: Schema): boolean {
  if (type === "number") return format !== "float" || Number.isFinite(Math.fround(value));
  if (type !== "integer") return true;
  return isInteger(value) && (format !== "int32" || value === (value | 0));
}

function numberCauses(value: number, schema: Schema, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (!fitsBits(value, schema)) {
    const { type, format } = schema;
    const kind =
      type === "integer" && !/^int(32|64)$/.test(format ?? "") ? "(default format)" : `with format ${format}`;
    causes.push(unplaced(`Checked value must be of type ${type} ${kind} in ${path}`));
  }
  const should = (detail: string) => causes.push(invalidValue(path, value, `${path} in body should be ${detail}`));
  if (multipleOf !== undefined && value <= 0) {
    causes.push(invalidValue(path, value, `factor MultipleOf declared for ${path} must be positive: ${value}`));
  } else if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) should(`a multiple of ${multipleOf}`);
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    should(`less than ${exclusiveMaximum ? "" : "or equal to "}${maximum}`);
  }
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    should(`greater than ${exclusiveMinimum ? "" : "or equal to "}${minimum}`);
  }
  return causes;
}

function arrayCauses(value: readonly unknown[], schema: Schema, path: string): StatusCause[] {
  const causes = value.flatMap((item, index) => validate(item, schema.items, `${path}[${index}]`));
  if (value.length < (schema.minItems ?? 0)) {
    causes.push(invalidValue(path, value.length, `${path} in body should have at least ${schema.minItems} items`));
  }
  if (value.length > (schema.maxItems ?? Infinity)) causes.push(tooMany(path, value.length, schema.maxItems!));
  const seen = new Set<string>();
  value.forEach((item, index) => {
    const identity = itemIdentity(schema, item);
    if (identity === undefined) return;
    const shown = JSON.stringify(identity);
    if (seen.has(shown)) causes.push(duplicateValue(`${path}[${index}]`, identity));
    seen.add(shown);
  });
  return causes;
}

function objectCauses(value: Record<string, unknown>, schema: Schema, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const join = (field: string) => (path ? `${path}.${field}` : field);
  const count = Object.keys(value).length;
  if (count < (schema.minProperties ?? 0)) {
    causes.push(invalidValue(path, count, `${path} in body should have at least ${schema.minProperties} properties`));
  }
  if (count > (schema.maxProperties ?? Infinity)) causes.push(tooMany(path, count, schema.maxProperties!));
  for (const field of schema.required ?? []) if (value[field] === undefined) causes.push(required(join(field)));
  for (const [field, inner] of Object.entries(value)) {
    if (inner !== undefined) causes.push(...validate(inner, fieldSchema(schema, field), join(field)));
  }
  return causes;
}

/** A cause that the validator reports without a field. */
function unplaced(detail: string): StatusCause {
  return { reason: "FieldValueInvalid", message: `Invalid value: "": ${detail}`, field: "<nil>" };
}

function combinedCauses(value: unknown, schema: Schema, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const results = (options: Schema[]) => options.map((option) => validate(value, option, path));
  const fits = (result: StatusCause[]) => result.length === 0;
  const fail = (detail: string) => causes.push(unplaced(`"${path}" ${detail}`));
  if (schema.anyOf) {
    const tried = results(schema.anyOf);
    if (!tried.some(fits)) {
      fail("must validate at least one schema (anyOf)");
      causes.push(...tried[0]!);
    }
  }
  if (schema.oneOf) {
    const tried = results(schema.oneOf);
    const valid = tried.filter(fits).length;
    const found = valid === 0 ? "none valid" : `${valid} valid alternatives`;
    if (valid !== 1) fail(`must validate one and only one schema (oneOf). Found ${found}`);
    if (valid === 0) causes.push(...tried[0]!);
  }
  if (schema.allOf) {
    const tried = results(schema.allOf);
    if (!tried.every(fits)) {
      fail("must validate all the schemas (allOf)");
      causes.push(...tried.flat());
    }
  }
  if (schema.not && fits(validate(value, schema.not, path))) fail("must not validate the schema (not)");
  return causes;
}
