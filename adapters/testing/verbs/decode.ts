import { parse as parseYaml } from "yaml";
import { badRequest } from "../http/status-error.ts";
import { isObject, type JsonObject } from "../json.ts";
import { apiVersionOf, type ServedKind } from "../kinds/served-kind.ts";
import { withDefaults } from "../schema/defaults.ts";
import { normalize } from "../schema/normalize.ts";
import { prune } from "../schema/prune.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { WriteOptions } from "./write-options.ts";

/** @throws StatusError 400 where the text is no JSON object. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`couldn't get version/kind; json parse error: ${(error as Error).message}`);
  }
}

/** @throws StatusError 400 where the text is no YAML. */
export function parseYamlBody(text: string): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    throw badRequest(`error decoding YAML: ${(error as Error).message}`);
  }
}

/**
 * An object as the kind's decoder reads it: without unknown fields and nulls, with defaults.
 * @throws StatusError 400 where it is no object of this kind.
 */
export function decode(raw: unknown, kind: ServedKind, options: WriteOptions): StoredObject {
  checkKind(raw, kind);
  return decodeFields(raw as JsonObject, kind, options);
}

/** As `decode`, for what is known to be of the kind. */
export function decodeFields(raw: JsonObject, kind: ServedKind, options: WriteOptions): StoredObject {
  const unknown: string[] = [];
  const pruned = prune(raw, kind.schema, "", unknown) as JsonObject;
  reportUnknown(unknown, options);
  const decoded = kind.custom ? (withDefaults(pruned, kind.schema) as JsonObject) : normalize(pruned, kind);
  const metadata = isObject(decoded.metadata) ? decoded.metadata : {};
  const object = { ...decoded, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata } as StoredObject;
  return kind.setDefaults?.(object) ?? object;
}

function checkKind(raw: unknown, kind: ServedKind): void {
  if (!isObject(raw)) throw badRequest("the object provided is unrecognized (must be of type JSON)");
  const { apiVersion, kind: name } = raw;
  if (!name) throw badRequest(`Object 'Kind' is missing in '${JSON.stringify(raw)}'`);
  if (!apiVersion) throw badRequest(`Object 'apiVersion' is missing in '${JSON.stringify(raw)}'`);
  if (apiVersion !== apiVersionOf(kind)) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${apiVersionOf(kind)})`,
    );
  }
  if (name !== kind.kind) {
    throw badRequest(`${name} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}`);
  }
}

/** @throws StatusError 400 where unknown fields are refused. */
export function reportUnknown(unknown: readonly string[], options: WriteOptions): void {
  const texts = unknown.map((path) => `unknown field ${JSON.stringify(path)}`);
  if (texts.length === 0 || options.fieldValidation === "Ignore") return;
  if (options.fieldValidation === "Strict") throw badRequest(`strict decoding error: ${texts.join(", ")}`);
  options.warnings.push(...texts);
}
