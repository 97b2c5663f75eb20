import type { StatusCause } from "../http/status-error.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { BuiltIn } from "./built-in.ts";
import { nameColumn } from "./columns.ts";
import type { CrdSpec } from "./crd-spec.ts";
import { crdCauses } from "./crd-validation.ts";

/** Holds a CRD until its objects are gone. */
export const CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

export const customResourceDefinition: BuiltIn = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  shortNames: ["crd", "crds"],
  namespaced: false,
  status: true,
  keptByStatus: ["labels", "annotations", "finalizers", "ownerReferences"],
  generation: "spec",
  unconditionalUpdate: false,
  schemaName: "apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition",
  zero: {
    metadata: {},
    spec: { group: "", names: { plural: "", kind: "" }, scope: "", versions: null },
    status: { conditions: null, acceptedNames: { plural: "", kind: "" }, storedVersions: null },
  },
  setDefaults,
  prepareCreate: (object) => ({
    ...object,
    status: { conditions: null, acceptedNames: { plural: "", kind: "" }, storedVersions: storedVersions(object, []) },
  }),
  prepareUpdate(next, live) {
    const status = (live.status ?? {}) as JsonObject;
    const before = (status.storedVersions ?? []) as string[];
    return { ...next, status: { ...status, storedVersions: storedVersions(next, before) } };
  },
  markDeleting,
  validate: (object, live): StatusCause[] => crdCauses(object, live),
  columns: [nameColumn, { name: "Created At", type: "date", value: (object) => object.metadata.creationTimestamp }],
};

function setDefaults(object: StoredObject): StoredObject {
  const spec = isObject(object.spec) ? object.spec : {};
  const given = isObject(spec.names) ? spec.names : {};
  const names = { plural: "", kind: "", ...given } as JsonObject & { kind: string };
  if (names.kind) {
    names.singular ??= names.kind.toLowerCase();
    names.listKind ??= `${names.kind}List`;
  }
  return {
    ...object,
    spec: { group: "", scope: "", ...spec, names, conversion: spec.conversion ?? { strategy: "None" } },
  };
}

/** All versions that objects may be stored in. */
function storedVersions(object: StoredObject, before: readonly string[]): string[] | null {
  const storage = (object.spec as CrdSpec).versions?.find((version) => version.storage);
  const all = new Set([...before, ...(storage ? [storage.name ?? ""] : [])]);
  return all.size > 0 ? [...all] : null;
}

function markDeleting(object: StoredObject, live: StoredObject): StoredObject {
  const { deletionGracePeriodSeconds: _, ...metadata } = object.metadata;
  const status = (object.status ?? {}) as JsonObject;
  const conditions = (status.conditions ?? []) as JsonObject[];
  const terminating = {
    type: "Terminating",
    status: "True",
    lastTransitionTime: metadata.deletionTimestamp,
    reason: "InstanceDeletionPending",
    message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
  };
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(live.metadata.generation && { generation: live.metadata.generation }),
      finalizers: [...new Set([...(metadata.finalizers ?? []), CLEANUP])],
    },
    status: { ...status, conditions: [...conditions.filter(({ type }) => type !== "Terminating"), terminating] },
  };
}
