import { applyPatch, type Operation } from "rfc6902";
import { StatusError, tooLarge } from "../http/status-error.ts";
import { isObject, type JsonObject } from "../json.ts";

/** JSON merge patch (RFC 7396). */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete result[field];
    else result[field] = mergePatch(result[field], value);
  }
  return result;
}

/** The most operations of a JSON patch. The API server's own limit. */
const MAX_OPERATIONS = 10_000;

/**
 * JSON patch (RFC 6902), as lenient as the API server's: a `test` of null holds for what is absent, a `replace` of an
 * absent field of an object that is there adds it, and of a path without a slash at its beginning the first field counts
 * for nothing.
 * @throws StatusError 422 where an operation fails, 413 where there are more than 10000.
 */
export function jsonPatch(target: JsonObject, operations: readonly JsonObject[]): JsonObject {
  if (operations.length > MAX_OPERATIONS) {
    const allowed = `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}`;
    throw tooLarge(`${allowed}, got ${operations.length}`);
  }
  const document = structuredClone(target);
  for (const operation of operations) {
    if (isDone(document, withSlashes(operation))) continue;
    throw new StatusError(422, "Invalid", "the server rejected our request due to an error in our request", {});
  }
  return document;
}

/** An operation of a kind or with a path that is none fails as any other. */
function isDone(document: JsonObject, operation: JsonObject): boolean {
  try {
    return applyPatch(document, [lenient(document, operation) as unknown as Operation])[0] === null;
  } catch {
    return false;
  }
}

function withSlashes(operation: JsonObject): JsonObject {
  const fixed = { ...operation };
  for (const field of ["path", "from"]) {
    const given = fixed[field];
    if (typeof given === "string" && /^[^/]+\//.test(given)) fixed[field] = given.slice(given.indexOf("/"));
  }
  return fixed;
}

function lenient(document: JsonObject, operation: JsonObject): JsonObject {
  const { op, path, value } = operation;
  if (op === "replace" && typeof path === "string" && isObject(parentOf(document, path)))
    return { ...operation, op: "add" };
  if (op === "test" && (value === null || value === undefined) && typeof path === "string") {
    const parent = parentOf(document, path);
    const field = tokensOf(path).at(-1)!;
    if (isObject(parent) && parent[field] === undefined) return { op: "test", path: "", value: document };
  }
  return operation;
}

function parentOf(document: unknown, path: string): unknown {
  return tokensOf(path)
    .slice(0, -1)
    .reduce<unknown>((current, token) => (current as JsonObject | undefined)?.[token], document);
}

function tokensOf(path: string): string[] {
  return path
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}
