import * as z from "zod";

/** A DNS label (RFC 1123): controllers, clusters and namespaces are named by it. */
export const label = z
  .string()
  .max(63)
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, "must be a DNS label: a-z, 0-9 and -, at most 63 characters");

/**
 * An object's name. Kubernetes accepts as a path segment what is not `.` or `..` and has no `/` or `%`
 * (apimachinery `api/validation/path`); most kinds ask for more, and their API server says so.
 */
export const objectName = z
  .string()
  .min(1)
  .max(253)
  .regex(/^(?!\.{1,2}$)[!-$&-.0-~]+$/, "must be an object name: printable, without blanks, / and %, not . or ..");

/** The key of a reconcile: two references are the same when these four fields are. */
export const objectRef = z.strictObject({
  cluster: label,
  controller: label,
  namespace: label.optional(),
  name: objectName,
});

export type ObjectRef = z.infer<typeof objectRef>;

/**
 * One text per key, and back by {@link parseKey}. None of the fields can hold a `/`.
 * @example keyOf({ cluster: "home", controller: "documents", namespace: "default", name: "a" }) // "home/documents/default/a"
 */
export function keyOf(ref: ObjectRef): string {
  return `${ref.cluster}/${ref.controller}/${ref.namespace ?? ""}/${ref.name}`;
}

/** The reference that {@link keyOf} made the text of. */
export function parseKey(key: string): ObjectRef {
  const [cluster = "", controller = "", namespace = "", name = ""] = key.split("/");
  return { cluster, controller, ...(namespace === "" ? {} : { namespace }), name };
}
