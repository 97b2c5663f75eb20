import * as z from "zod";

/** RFC 1035, as the API server asks of plurals, versions and short names (apimachinery `IsDNS1035Label`). */
const label = z
  .string()
  .max(63, "at most 63 characters")
  .regex(/^[a-z]([-a-z0-9]*[a-z0-9])?$/, "must be a-z, 0-9 and -, from a letter on");

const group = z
  .string()
  .max(253, "at most 253 characters")
  .regex(
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/,
    "must be a domain of at least two parts: a-z, 0-9, - and .",
  )
  .regex(/^(?!.*(^|\.)(k8s|kubernetes)\.io$)/, "k8s.io and kubernetes.io belong to Kubernetes");

/** The kind of its lists, four letters longer, is a label too once in lower case. */
const kind = z
  .string()
  .max(59, "at most 59 characters")
  .regex(/^[A-Z][A-Za-z0-9]*$/, "must be letters and digits, from a capital on");

const printColumn = z.strictObject({
  name: z.string().min(1, "must not be empty"),
  type: z.enum(["string", "integer", "number", "boolean", "date"]),
  jsonPath: z.string().startsWith(".", "must start with a dot: .status.phase"),
  description: z.string().min(1, "must not be empty").optional(),
  priority: z.int().min(1, "must be at least 1").optional(),
});

/** A column of `kubectl get`; one with a priority is shown with `-o wide` only. */
export type PrintColumn = z.infer<typeof printColumn>;

/** What names a custom resource, with the API server's limits. */
export const crdNames = z
  .object({
    group,
    version: label,
    kind,
    plural: label,
    scope: z.enum(["Namespaced", "Cluster"]),
    shortNames: z.array(label).optional(),
    categories: z.array(label).optional(),
    printColumns: z.array(printColumn).optional(),
  })
  .refine((names) => names.plural.length + names.group.length < 253, {
    path: ["plural"],
    error: "plural and group together: at most 252 characters",
  });
export type CrdNames = z.infer<typeof crdNames>;
