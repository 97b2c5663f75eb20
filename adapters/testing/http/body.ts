import { parse as parseYaml } from "yaml";
import { isObject } from "../json.ts";
import { type ParsedJson, parseGoJson } from "./go-json.ts";
import { badRequest, StatusError, tooLarge } from "./status-error.ts";

const TYPES = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];

/** The most bytes of a body. The API server's own limit. */
const MAX_BYTES = 3_145_728;

/** @throws StatusError 413 */
export function checkSize(body: string): void {
  if (body.length * 3 <= MAX_BYTES) return;
  if (new TextEncoder().encode(body).length > MAX_BYTES) throw tooLarge(`limit is ${MAX_BYTES}`);
}

/**
 * The body of a create, an update or a delete.
 * @param kind what it must be, for the error's words.
 * @throws StatusError 415 where it is neither JSON nor YAML, 400 where it cannot be read.
 */
export function readBody(body: string, contentType: string | null, kind: string): ParsedJson {
  const type = (contentType ?? "application/json").split(";")[0]!.trim();
  if (type !== "application/json" && type !== "application/yaml") throw unsupported(TYPES);
  const unrecognized = (why: string) =>
    badRequest(
      `${kind && `the object provided is unrecognized (must be of type ${kind}): `}${why}${kind && ` (${summary(body)})`}`,
    );
  try {
    const parsed =
      type === "application/yaml" ? { value: parseYaml(body) as unknown, duplicates: [] } : parseGoJson(body);
    if (isObject(parsed.value) || parsed.value === null) return { ...parsed, value: parsed.value ?? {} };
    throw new Error(
      `json: cannot unmarshal ${goTypeOf(parsed.value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  } catch (error) {
    throw unrecognized(`couldn't get version/kind; json parse error: ${(error as Error).message}`);
  }
}

/** A missing kind, in the words of the decoder. */
export function missingKind(body: string, field: "Kind" | "apiVersion", kind: string): StatusError {
  const why = `Object '${field}' is missing in '${body}'`;
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${summary(body)})`);
}

export function unsupported(types: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${types.join(", ")}`;
  return new StatusError(415, "UnsupportedMediaType", message);
}

/**
 * A JSON or merge patch.
 * @throws StatusError 400
 */
export function readPatch(body: string, form: "list" | "object"): unknown {
  const fail = (why: string) => badRequest(`error decoding patch: ${why}`);
  let value: unknown;
  try {
    ({ value } = parseGoJson(body));
  } catch (error) {
    throw fail((error as Error).message);
  }
  const misfit = (found: unknown, wanted: string) =>
    fail(`json: cannot unmarshal ${goTypeOf(found)} into Go value of type ${wanted}`);
  if (form === "object") {
    if (!isObject(value)) throw misfit(value, "map[string]interface {}");
    return value;
  }
  if (!Array.isArray(value)) throw misfit(value, "[]handlers.jsonPatchOp");
  return value.map((operation: unknown) => {
    if (operation !== null && !isObject(operation)) throw misfit(operation, "handlers.jsonPatchOp");
    return operation ?? {};
  });
}

/**
 * An applied object.
 * @throws StatusError 400
 */
export function readApplied(body: string): unknown {
  try {
    return parseYaml(body, { uniqueKeys: false }) as unknown;
  } catch (error) {
    const text = (error as Error).message.split("\n")[0];
    throw badRequest(`error decoding YAML: error converting YAML to JSON: yaml: ${text}`);
  }
}

/** What Go's decoder calls a JSON value. */
export function goTypeOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

/** The beginning of a body, as error messages quote it. */
function summary(body: string): string {
  if (body === "") return "<empty>";
  const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length)} ...` : text);
  if (body.startsWith("{")) return cut(body, 30);
  const hex = [...new TextEncoder().encode(body)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return cut(hex, 60);
}
