import type { BuiltIn } from "./built-in.ts";
import { ageColumn, fieldColumn, nameColumn } from "./columns.ts";

export const namespace: BuiltIn = {
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  shortNames: ["ns"],
  namespaced: false,
  status: true,
  schemaName: "api.core.v1.Namespace",
  zero: { metadata: {}, spec: {}, status: {} },
  setDefaults: (object) => ({
    ...object,
    metadata: {
      ...object.metadata,
      labels: { ...object.metadata.labels, "kubernetes.io/metadata.name": object.metadata.name },
    },
  }),
  prepareCreate: (object) => ({ ...object, spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } }),
  prepareUpdate: (next, live) => ({ ...next, spec: live.spec }),
  columns: [nameColumn, fieldColumn("Status", ["status", "phase"]), ageColumn],
  selectable: { "status.phase": ["status", "phase"] },
};
