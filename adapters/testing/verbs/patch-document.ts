import { applyPatch, type Operation } from "rfc6902";
import { StatusError } from "../http/status-error.ts";
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

/**
 * JSON patch (RFC 6902), as lenient as the API server's: a `test` of null holds for what is absent, and a `replace` of an
 * absent field of an object that is there adds it.
 * @throws StatusError 422 where an operation fails.
 */
export function jsonPatch(target: JsonObject, operations: readonly JsonObject[]): JsonObject {
  const document = structuredClone(target);
  for (const operation of operations) {
    const [failure] = applyPatch(document, [lenient(document, operation) as unknown as Operation]);
    if (failure === null) continue;
    throw new StatusError(422, "Invalid", "the server rejected our request due to an error in our request", {});
  }
  return document;
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
