import type { BuiltIn } from "./built-in.ts";
import { ageColumn, fieldColumn, nameColumn } from "./columns.ts";

export const lease: BuiltIn = {
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  plural: "leases",
  schemaName: "api.coordination.v1.Lease",
  zero: { metadata: {}, spec: {} },
  createOnUpdate: true,
  unconditionalUpdate: false,
  columns: [nameColumn, fieldColumn("Holder", ["spec", "holderIdentity"]), ageColumn],
};
