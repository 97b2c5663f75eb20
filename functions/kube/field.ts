/**
 * The value at a path of an object, undefined where there is none.
 * @example valueAt(document, ".spec.secretName") // "token"
 */
export function valueAt(object: unknown, path: string): unknown {
  let value = object;
  for (const part of path.split(".").slice(1)) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}
