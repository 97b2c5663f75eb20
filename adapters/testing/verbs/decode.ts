import type { ObjectMeta } from "../../../functions/kube/resource.ts";
import { missingKind, readBody } from "../http/body.ts";
import type { ApiRequest } from "../http/request.ts";
import { badRequest, type StatusError } from "../http/status-error.ts";
import { equal, isObject, type JsonObject } from "../json.ts";
import { builtInKinds } from "../kinds/built-in.ts";
import { apiVersionOf, type ServedKind } from "../kinds/served-kind.ts";
import { metadataWarnings, withoutDuplicateOwners } from "../metadata/validate.ts";
import { metadataSchema } from "../schema/built-in.ts";
import { withDefaults } from "../schema/defaults.ts";
import { normalize, normalizeValue } from "../schema/normalize.ts";
import { prune } from "../schema/prune.ts";
import { unmarshalError } from "../schema/unmarshal.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { WriteOptions } from "./write-options.ts";

/**
 * The object in a request's body, as the kind's decoder reads it.
 * @throws StatusError 400 where it is no object of this kind, 415.
 */
export function decodeBody({ body, headers }: ApiRequest, kind: ServedKind, options: WriteOptions): StoredObject {
  const { value, duplicates } = readBody(body, headers.get("content-type"), kind.kind);
  const raw = withKind(value as JsonObject, body, kind);
  const fail = (why: string) =>
    badRequest(`${raw.kind} in version ${JSON.stringify(versionOf(raw))} cannot be handled as a ${kind.kind}: ${why}`);
  return decodeFields(raw, kind, options, fail, { duplicates });
}

/** A built-in kind's object may leave its kind and version to the path. */
function withKind(raw: JsonObject, body: string, kind: ServedKind): JsonObject {
  if (!kind.custom) return { apiVersion: apiVersionOf(kind), kind: kind.kind, ...raw };
  if (!raw.kind) throw missingKind(body, "Kind", kind.kind);
  if (!raw.apiVersion) throw missingKind(body, "apiVersion", kind.kind);
  return raw;
}

function versionOf({ apiVersion }: JsonObject): string {
  return String(apiVersion).split("/").at(-1)!;
}

function wrongKind(raw: JsonObject, kind: ServedKind, fail: (why: string) => StatusError): StatusError {
  const version = versionOf(raw);
  if (kind.custom) {
    const expected = apiVersionOf(kind);
    return badRequest(
      `the API version in the data (${raw.apiVersion}) does not match the expected API version (${expected})`,
    );
  }
  const known = builtInKinds.some((other) => other.kind === raw.kind && apiVersionOf(other) === raw.apiVersion);
  if (known) {
    const group = kind.group.split(".")[0] || "core";
    return fail(`converting (${version}.${raw.kind}) to (${group}.${kind.kind}): unknown conversion`);
  }
  const registered = `is registered for version ${JSON.stringify(raw.apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
  return fail(`no kind ${JSON.stringify(raw.kind)} ${registered}`);
}

/**
 * An object without unknown fields and nulls, with defaults.
 * @param fail makes the error of what cannot be decoded.
 */
export function decodeFields(
  raw: JsonObject,
  kind: ServedKind,
  options: WriteOptions,
  fail: (why: string) => StatusError,
  { duplicates = [], keepNulls = false }: { duplicates?: readonly string[]; keepNulls?: boolean } = {},
): StoredObject {
  if (raw.apiVersion !== apiVersionOf(kind) || (raw.kind !== kind.kind && !kind.custom)) {
    throw wrongKind(raw, kind, fail);
  }
  const wrong = kind.custom
    ? unmarshalError(raw.metadata, metadataSchema, "ObjectMeta")
    : unmarshalError(raw, kind.schema, kind.schema.goName ?? kind.kind);
  if (wrong) throw fail(wrong);
  const unknown: string[] = [];
  const pruned = prune(raw, kind.schema, "", unknown) as JsonObject;
  reportFields(unknown, duplicates, options, fail);
  const decoded = kind.custom ? (withDefaults(pruned, kind.schema, keepNulls) as JsonObject) : normalize(pruned, kind);
  const given = metadataOf(raw, decoded);
  options.warnings.push(...metadataWarnings(given, kind));
  const metadata = withoutDuplicateOwners(given);
  const object = { ...decoded, apiVersion: apiVersionOf(kind), metadata } as StoredObject;
  return kind.setDefaults?.(object) ?? object;
}

/** The metadata in its own type's form, of custom resources too. Given but empty managedFields are kept: they reset. */
function metadataOf(raw: JsonObject, decoded: JsonObject): ObjectMeta {
  const metadata = normalizeValue(isObject(decoded.metadata) ? decoded.metadata : {}, metadataSchema) as ObjectMeta;
  const emptied = isObject(raw.metadata) && equal(raw.metadata.managedFields, []);
  return emptied ? { ...metadata, managedFields: [] } : metadata;
}

function reportFields(
  unknown: readonly string[],
  duplicates: readonly string[],
  { fieldValidation, warnings }: WriteOptions,
  fail: (why: string) => StatusError,
): void {
  if (fieldValidation === "Ignore") return;
  const texts = [
    ...[...duplicates].sort().map((path) => `duplicate field ${JSON.stringify(path)}`),
    ...[...unknown].sort().map((path) => `unknown field ${JSON.stringify(path)}`),
  ];
  if (texts.length > 0 && fieldValidation === "Strict") throw fail(`strict decoding error: ${texts.join(", ")}`);
  warnings.push(...texts);
}
