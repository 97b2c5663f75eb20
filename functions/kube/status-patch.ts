import type { JsonPatchOperation } from "./kube.ts";
import type { KubeObject } from "./resource.ts";

/**
 * The JSON patch on `/status` that sets these fields, each as a whole, and no operation where all are already so (F5). A
 * field given as `undefined` is removed. The patch tests the uid, since merge patch and apply ignore a wrong one there (F4).
 * @example statusPatch(doc, { phase: "Ready" })
 */
export function statusPatch(object: KubeObject, wanted: Record<string, unknown>): JsonPatchOperation[] {
  const current = (object as { status?: Record<string, unknown> | null }).status ?? undefined;
  const changes = current === undefined ? addStatus(wanted) : changeFields(current, wanted);
  return changes.length === 0 ? [] : [testUid(object), ...changes];
}

/** The operation that makes a JSON patch fail on a recreated object (F4). */
export function testUid(object: KubeObject): JsonPatchOperation {
  return { op: "test", path: "/metadata/uid", value: object.metadata.uid };
}

/** Whether two values are the same as JSON: the order of members means nothing, an undefined one is absent. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => sameJson(item, b[index]))
    );
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  for (const key in left) if (!sameJson(left[key], right[key])) return false;
  for (const key in right) if (right[key] !== undefined && left[key] === undefined) return false;
  return true;
}

function addStatus(wanted: Record<string, unknown>): JsonPatchOperation[] {
  if (!Object.values(wanted).some((value) => value !== undefined)) return [];
  // The API server takes a missing path for null: a status that someone else has added meanwhile is not overwritten.
  return [
    { op: "test", path: "/status", value: null },
    { op: "add", path: "/status", value: wanted },
  ];
}

function changeFields(current: Record<string, unknown>, wanted: Record<string, unknown>): JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  for (const [field, value] of Object.entries(wanted)) {
    if (sameJson(current[field], value)) continue;
    const path = `/status/${field.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    operations.push(value === undefined ? { op: "remove", path } : { op: "add", path, value });
  }
  return operations;
}
