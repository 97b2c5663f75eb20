import type { JsonObject } from "../json.ts";
import type { StoredObject } from "../store/stored-object.ts";
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
  setDefaults: withNameLabel,
  prepareCreate: (object) => ({
    ...withNameLabel(object),
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  }),
  prepareUpdate: (next, live) => ({ ...next, spec: live.spec }),
  markDeleting(object) {
    const { deletionGracePeriodSeconds: _, ...metadata } = object.metadata;
    return { ...object, metadata, status: { ...(object.status as JsonObject), phase: "Terminating" } };
  },
  columns: [nameColumn, fieldColumn("Status", ["status", "phase"]), ageColumn],
  selectable: { "status.phase": ["status", "phase"], name: ["metadata", "name"] },
};

/** Its name is a label of each namespace: selectors of namespaces find one by it. */
function withNameLabel(object: StoredObject): StoredObject {
  const { name, labels } = object.metadata;
  if (!name) return object;
  const metadata = { ...object.metadata, labels: { ...labels, "kubernetes.io/metadata.name": name } };
  return { ...object, metadata };
}
