import type { JsonObject } from "../json.ts";
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
  setDefaults: (object) =>
    object.metadata.name
      ? {
          ...object,
          metadata: {
            ...object.metadata,
            labels: { ...object.metadata.labels, "kubernetes.io/metadata.name": object.metadata.name },
          },
        }
      : object,
  prepareCreate: (object) => ({ ...object, spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } }),
  prepareUpdate: (next, live) => ({ ...next, spec: live.spec }),
  markDeleting(object) {
    const { deletionGracePeriodSeconds: _, ...metadata } = object.metadata;
    return { ...object, metadata, status: { ...(object.status as JsonObject), phase: "Terminating" } };
  },
  columns: [nameColumn, fieldColumn("Status", ["status", "phase"]), ageColumn],
  selectable: { "status.phase": ["status", "phase"], name: ["metadata", "name"] },
};
