import type { StatusCause } from "../http/status-error.ts";

/** The causes of a 422, worded as the API server words them. */

export function required(field: string, detail = ""): StatusCause {
  return { reason: "FieldValueRequired", message: `Required value${detail && `: ${detail}`}`, field };
}

export function invalidValue(field: string, value: unknown, detail: string): StatusCause {
  return { reason: "FieldValueInvalid", message: `Invalid value: ${show(value)}: ${detail}`, field };
}

export function forbiddenValue(field: string, detail: string): StatusCause {
  return { reason: "FieldValueForbidden", message: `Forbidden: ${detail}`, field };
}

export function duplicateValue(field: string, value: unknown): StatusCause {
  return { reason: "FieldValueDuplicate", message: `Duplicate value: ${show(value)}`, field };
}

/** @param options the supported values. */
export function unsupportedValue(field: string, value: unknown, options: readonly unknown[]): StatusCause {
  const message = `Unsupported value: ${show(value)}: supported values: ${options.map(show).join(", ")}`;
  return { reason: "FieldValueNotSupported", message, field };
}

export function tooLong(field: string, bytes: number): StatusCause {
  return { reason: "FieldValueTooLong", message: `Too long: may not be more than ${bytes} bytes`, field };
}

export function tooMany(field: string, count: number, max: number): StatusCause {
  return { reason: "FieldValueTooMany", message: `Too many: ${count}: must have at most ${max} items`, field };
}

export function immutable(field: string, value: unknown): StatusCause {
  return invalidValue(field, value, "field is immutable");
}

/** A value as error messages show it. */
export function show(value: unknown): string {
  return value === undefined ? "null" : JSON.stringify(value);
}
