import * as z from "zod";
import { type CrdNames, crdNames } from "./crd-names.ts";
import { structuralSchema } from "./crd-schema.ts";
import { type CrdParts, checkDefinitionsBy, pathOf } from "./custom-resource.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** What `customResource` takes, and its limits. */
const schema = z.custom<z.core.$ZodType>(
  (value) => typeof (value as Partial<z.core.$ZodType> | null | undefined)?._zod === "object",
  "must be a schema of zod 4: z.object({ … })",
);
const fields = { ...crdNames.shape, spec: schema, status: schema.optional() };
const shape = z.strictObject(fields, {
  error: ({ code }) =>
    code === "unrecognized_keys"
      ? `is no option of customResource; known are ${Object.keys(fields).join(", ")}`
      : "must be an object of options",
});

checkDefinitionsBy((parts) => {
  checkNames(parts);
  schemaOf(parts);
});

/**
 * The CustomResourceDefinition of a custom resource, with every default of the API server written out, so that it comes
 * back as it was sent. Its one version is served and stored, and its status is a subresource: spec changes alone then move
 * `metadata.generation`.
 * @example await kube.apply(crdOf(Document));
 */
export function crdOf({ definition }: { readonly definition: CrdParts }) {
  const { group, version, kind, plural, scope, shortNames, categories, printColumns } = definition;
  return {
    apiVersion: "apiextensions.k8s.io/v1" as const,
    kind: "CustomResourceDefinition" as const,
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: {
        plural,
        singular: kind.toLowerCase(),
        kind,
        listKind: `${kind}List`,
        ...(shortNames?.length && { shortNames }),
        ...(categories?.length && { categories }),
      },
      conversion: { strategy: "None" },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schemaOf(definition) },
          subresources: { status: {} },
          ...(printColumns?.length && { additionalPrinterColumns: printColumns }),
        },
      ],
    },
  };
}

/** @throws TypeError for a schema that the API server cannot be told, with the path. */
function schemaOf({ kind, spec, status }: CrdParts): StructuralSchema {
  const properties: Record<string, StructuralSchema> = {
    spec: structuralSchema(spec, `${kind}.spec`),
    status: status
      ? structuralSchema(status, `${kind}.status`, false)
      : { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  };
  for (const [path, { type }] of Object.entries(properties))
    if (type !== "object") throw new TypeError(`${kind}.${path}: must be an object`);
  return { type: "object", properties, ...(spec._zod.optin === undefined && { required: ["spec"] }) };
}

/** An option that is not known is told first: where a name is misspelt, the right one is missing too. */
function checkNames(options: CrdNames): void {
  const names = crdNames.safeParse(options);
  const issues = [...(shape.safeParse(options).error?.issues ?? []), ...(names.error?.issues ?? [])];
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  if (!issue) return;
  const kind: unknown = (options as CrdNames | undefined)?.kind;
  const path = pathOf(issue, typeof kind === "string" ? kind : "customResource");
  const key = issue?.code === "unrecognized_keys" ? `.${issue.keys[0]}` : "";
  throw new TypeError(`${path}${key}: ${issue?.message}`);
}
