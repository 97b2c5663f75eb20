import type { CrdNames } from "./crd-names.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** What a CustomResourceDefinition is made from. */
export type CrdParts = CrdNames & { schema: StructuralSchema };

/**
 * The CustomResourceDefinition of a custom resource, with every default of the API server written out, so that it comes
 * back as it was sent. Its one version is served and stored, and its status is a subresource: spec changes alone then move
 * `metadata.generation`.
 * @example await kube.apply(crdOf(Document));
 */
export function crdOf({ definition }: { readonly definition: CrdParts }) {
  const { group, version, kind, plural, scope, shortNames, categories, printColumns, schema } = definition;
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
          schema: { openAPIV3Schema: schema },
          subresources: { status: {} },
          ...(printColumns?.length && { additionalPrinterColumns: printColumns }),
        },
      ],
    },
  };
}
