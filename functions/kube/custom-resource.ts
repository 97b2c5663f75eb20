import * as z from "zod";
import type { CrdNames } from "./crd-names.ts";
import { MisfitError } from "./errors.ts";
import type { KubeObject, ObjectMeta, Resource } from "./resource.ts";

export type CustomResourceOptions<
  Group extends string,
  Version extends string,
  Kind extends string,
  Spec extends z.core.$ZodType,
  Status extends z.core.$ZodType,
> = CrdNames & {
  group: Group;
  version: Version;
  kind: Kind;
  /** An object. Its defaults are the API server's too, so that `kubectl get` shows them. */
  spec: Spec;
  /** An object without transforms. Without it the status is open: any field may be written. */
  status?: Status;
};

/** An object of a custom resource, as `parse` returns it. */
export type CustomObject<ApiVersion extends string, Kind extends string, Spec, Status> = {
  apiVersion: ApiVersion;
  kind: Kind;
  metadata: ObjectMeta;
  spec: Spec;
  status?: Status;
};

/** What a CustomResourceDefinition is made from. */
export type CrdParts = CrdNames & { readonly spec: z.core.$ZodType; readonly status?: z.core.$ZodType | undefined };

/** A custom resource: a kind whose objects `parse` checks, and the parts of its CustomResourceDefinition. */
export type CustomResource<T extends KubeObject = KubeObject> = Resource<T> &
  Readonly<Pick<T, "apiVersion" | "kind">> & { readonly definition: CrdParts };

let checkDefinition: (parts: CrdParts) => void = () => {};

/**
 * Holds every later definition to a check. The module of `crdOf` does so when it is loaded: with this package always, but
 * for a bundle that makes no CRD, from which it is left out. A Worker is a tenth smaller without it.
 */
export function checkDefinitionsBy(check: (parts: CrdParts) => void): void {
  checkDefinition = check;
}

/**
 * A custom resource from zod schemas of its spec and status. `crdOf` makes the CustomResourceDefinition of it.
 *
 * `parse` asks for a spec that fits. Of a status it takes what fits: an older version of the controller may have written
 * it, and the next run sets it right. So let the fields of a status be optional.
 *
 * @throws TypeError for a name that breaks a limit, or a schema that the API server cannot be told, with the path.
 * @example
 * const Document = customResource({
 *   group: "example.com", version: "v1", kind: "Document", plural: "documents", scope: "Namespaced",
 *   spec: z.object({ title: z.string().min(1) }),
 *   status: z.object({ phase: z.string() }).partial(),
 * });
 * type Document = Infer<typeof Document>;
 */
export function customResource<
  const Group extends string,
  const Version extends string,
  const Kind extends string,
  Spec extends z.core.$ZodType<object>,
  Status extends z.core.$ZodType<object> = z.core.$ZodType<Record<string, unknown>>,
>(
  options: CustomResourceOptions<Group, Version, Kind, Spec, Status>,
): CustomResource<CustomObject<`${Group}/${Version}`, Kind, z.output<Spec>, z.output<Status>>> {
  checkDefinition(options);
  const { group, version, kind, plural, scope, spec, status } = options;

  type T = CustomObject<`${Group}/${Version}`, Kind, z.output<Spec>, z.output<Status>>;
  return {
    apiVersion: `${group}/${version}`,
    group,
    version,
    kind,
    plural,
    scope,
    definition: options,
    parse(object) {
      const stored: KubeObject & { spec?: unknown; status?: object } = object;
      const parsed = z.safeParse(spec, stored.spec);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        throw new MisfitError(pathOf(issue, "spec"), issue?.message ?? "does not fit");
      }
      const kept = status && stored.status ? fittingPart(status, stored.status) : stored.status;
      return { ...object, spec: parsed.data, ...(kept !== undefined && { status: kept }) } as T;
    },
  };
}

/** A status without the fields that do not fit, defaults applied. */
function fittingPart(schema: z.core.$ZodType, status: object): object {
  const whole = z.safeParse(schema, status);
  if (whole.success) return whole.data as object;
  const misfits = new Set(whole.error.issues.map((issue) => issue.path[0]));
  const part = Object.fromEntries(Object.entries(status).filter(([name]) => !misfits.has(name)));
  const rest = z.safeParse(schema, part);
  return rest.success ? (rest.data as object) : part;
}

/** `spec.hosts[0].port` */
export function pathOf(issue: z.core.$ZodIssue | undefined, root: string): string {
  const steps = (issue?.path ?? []).map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`));
  return root + steps.join("");
}
