import { expect, test } from "vitest";
import * as z from "zod";
import * as kinds from "../../../functions/kinds.ts";
import { crdOf } from "../../../functions/kube/crd.ts";
import { customResource } from "../../../functions/kube/custom-resource.ts";
import type { Draft } from "../../../functions/kube/resource.ts";

test("a CustomResourceDefinition says all that the API server would add", () => {
  const Document = customResource({
    group: "example.com",
    version: "v1alpha1",
    kind: "Document",
    plural: "documents",
    scope: "Cluster",
    spec: z.object({ title: z.string().default("none") }),
    status: z.object({ phase: z.string() }).partial(),
    shortNames: ["doc"],
    categories: ["all"],
    printColumns: [{ name: "Phase", type: "string", jsonPath: ".status.phase", priority: 1 }],
  });
  expect(crdOf(Document)).toEqual({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "documents.example.com" },
    spec: {
      group: "example.com",
      scope: "Cluster",
      names: {
        plural: "documents",
        singular: "document",
        kind: "Document",
        listKind: "DocumentList",
        shortNames: ["doc"],
        categories: ["all"],
      },
      conversion: { strategy: "None" },
      versions: [
        {
          name: "v1alpha1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: { type: "object", properties: { title: { type: "string", default: "none" } } },
                status: { type: "object", properties: { phase: { type: "string" } } },
              },
              required: ["spec"],
            },
          },
          additionalPrinterColumns: [{ name: "Phase", type: "string", jsonPath: ".status.phase", priority: 1 }],
        },
      ],
    },
  });
});

test("a spec with a default is not required, and no empty list is sent, which the API server would drop", () => {
  const { spec } = crdOf(
    customResource({
      group: "example.com",
      version: "v1",
      kind: "Empty",
      plural: "empties",
      scope: "Namespaced",
      spec: z.object({ a: z.string().default("x") }).prefault({}),
      shortNames: [],
      categories: [],
      printColumns: [],
    }),
  );
  expect(Object.keys(spec.names)).toEqual(["plural", "singular", "kind", "listKind"]);
  expect(spec.versions[0]).not.toHaveProperty("additionalPrinterColumns");
  expect(spec.versions[0]?.schema.openAPIV3Schema).not.toHaveProperty("required");
  expect(spec.versions[0]?.schema.openAPIV3Schema.properties?.spec?.default).toEqual({});
});

test("it can be applied as any other object", () => {
  const Empty = customResource({
    group: "example.com",
    version: "v1",
    kind: "Empty",
    plural: "empties",
    scope: "Namespaced",
    spec: z.object({}),
  });
  const draft: Draft<kinds.CustomResourceDefinition> = crdOf(Empty);
  expect(draft.kind).toBe(kinds.CustomResourceDefinition.kind);
});
