/** A JSON object whose fields are not known beforehand. */
export type JsonObject = { [field: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Deep equality of two JSON values. The order of fields means nothing; an undefined field is an absent one. */
export function equal(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  for (const key in a) if (!equal(a[key], b[key])) return false;
  for (const key in b) if (b[key] !== undefined && a[key] === undefined) return false;
  return true;
}

/** The value at a path of field names, undefined where there is none. */
export function at(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const field of path) {
    if (!isObject(current)) return undefined;
    current = current[field];
  }
  return current;
}

/** A copy in which the value at the path is another one; undefined removes it. Objects on the way are made. */
export function withAt(object: JsonObject, path: readonly string[], value: unknown): JsonObject {
  const [field, ...rest] = path;
  if (field === undefined) return object;
  const copy = { ...object };
  const inner = copy[field];
  if (rest.length > 0) {
    if (value === undefined && !isObject(inner)) return object;
    copy[field] = withAt(isObject(inner) ? inner : {}, rest, value);
  } else if (value === undefined) delete copy[field];
  else copy[field] = value;
  return copy;
}
