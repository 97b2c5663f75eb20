import { structuralSchema } from "./crd-schema.ts";
import { type CrdParts, checkDefinitionsBy } from "./custom-resource.ts";
import type { StructuralSchema } from "./structural-schema.ts";

checkDefinitionsBy(schemaOf);

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
