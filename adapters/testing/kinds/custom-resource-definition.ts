import type { BuiltIn } from "./built-in.ts";
import { nameColumn } from "./columns.ts";

export const customResourceDefinition: BuiltIn = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  shortNames: ["crd", "crds"],
  namespaced: false,
  status: true,
  generation: "spec",
  unconditionalUpdate: false,
  schemaName: "apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition",
  zero: { metadata: {}, spec: { names: {} }, status: {} },
  columns: [nameColumn, { name: "Created At", type: "date", value: (object) => object.metadata.creationTimestamp }],
};
