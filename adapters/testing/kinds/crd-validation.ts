import { notServed, type StatusCause } from "../http/status-error.ts";
import { equal, isObject, type JsonObject } from "../json.ts";
import { letterLabelProblems } from "../metadata/names.ts";
import { forbiddenValue, immutable, invalidValue, required, unsupportedValue } from "../schema/causes.ts";
import type { Schema } from "../schema/schema.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { schemaCauses } from "./crd-schema.ts";
import type { CrdSpec, CrdVersion } from "./crd-spec.ts";
import { versionCauses } from "./crd-version.ts";

const APPROVED = "api-approved.kubernetes.io";

/**
 * What is wrong with a CRD.
 * @throws StatusError 501 where it needs what this server leaves out: a conversion webhook, validation rules in CEL.
 */
export function crdCauses(object: StoredObject, live: StoredObject | undefined): StatusCause[] {
  const spec = object.spec as CrdSpec;
  const versions = spec.versions ?? [];
  if (spec.conversion?.strategy === "Webhook") throw notServed("a CRD with a conversion webhook");
  return [
    ...nameCauses(object, spec),
    ...groupCauses(object, spec),
    ...(["Cluster", "Namespaced"].includes(spec.scope)
      ? []
      : [unsupportedValue("spec.scope", spec.scope, ["Cluster", "Namespaced"])]),
    ...preserveCauses(spec),
    ...storageCauses(versions),
    ...versions.flatMap((version, index) => rootCauses(version, pathOf(versions, index), index)),
    ...versions.flatMap((_, index) => versionCauses(versions, index)),
    ...storedCauses(object, versions),
    ...(live ? updateCauses(spec, live.spec as CrdSpec) : []),
  ];
}

function nameCauses({ metadata }: StoredObject, { names, group }: CrdSpec): StatusCause[] {
  const wrongName = metadata.name !== `${names.plural}.${group}`;
  return [
    ...(wrongName ? [invalidValue("metadata.name", metadata.name, 'must be spec.names.plural+"."+spec.group')] : []),
    ...(group ? [] : [required("spec.group")]),
    ...labelCauses("spec.names.plural", names.plural),
    ...labelCauses("spec.names.singular", names.singular),
    ...mixedCaseCauses("spec.names.kind", names.kind),
    ...mixedCaseCauses("spec.names.listKind", names.listKind),
  ];
}

function labelCauses(field: string, name: string | undefined): StatusCause[] {
  if (!name) return [required(field)];
  return letterLabelProblems(name).map((problem) => invalidValue(field, name, problem));
}

function mixedCaseCauses(field: string, name: string | undefined): StatusCause[] {
  if (!name) return [required(field)];
  const but = "may have mixed case, but should otherwise match";
  return letterLabelProblems(name.toLowerCase()).map((problem) => invalidValue(field, name, `${but}: ${problem}`));
}

/** Groups of Kubernetes itself need an approval. */
function groupCauses({ metadata }: StoredObject, { group }: CrdSpec): StatusCause[] {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group) || metadata.annotations?.[APPROVED]) return [];
  const see = "https://github.com/kubernetes/enhancements/pull/1111";
  const why = `protected groups must have approval annotation "${APPROVED}", see ${see}`;
  return [required(`metadata.annotations[${APPROVED}]`, why)];
}

function preserveCauses({ preserveUnknownFields }: CrdSpec): StatusCause[] {
  const why = "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
  return preserveUnknownFields ? [invalidValue("spec.preserveUnknownFields", true, why)] : [];
}

function storageCauses(versions: readonly CrdVersion[]): StatusCause[] {
  if (versions.filter((version) => version.storage).length === 1) return [];
  return [
    invalidValue("spec.versions", versions.map(internal), "must have exactly one version marked as storage version"),
  ];
}

/** A version as the API server's own type shows it. */
function internal({
  name,
  served,
  storage,
  deprecated = false,
  deprecationWarning = null,
}: CrdVersion | JsonObject): JsonObject {
  return {
    Name: name,
    Served: served,
    Storage: storage,
    Deprecated: deprecated,
    DeprecationWarning: deprecationWarning,
    Schema: null,
    Subresources: null,
    AdditionalPrinterColumns: null,
    SelectableFields: null,
  };
}

/** Where messages place a version's schema: at the top where all versions have the same. */
function pathOf(versions: readonly CrdVersion[], index: number): string {
  const same = versions.every((version) => equal(version.schema, versions[0]!.schema));
  return same ? "spec.validation.openAPIV3Schema" : `spec.versions[${index}].schema.openAPIV3Schema`;
}

function rootCauses({ schema }: CrdVersion, path: string, index: number): StatusCause[] {
  const root = schema?.openAPIV3Schema;
  if (!isObject(root)) return [required(`spec.versions[${index}].schema.openAPIV3Schema`)];
  if (index > 0 && path === "spec.validation.openAPIV3Schema") return [];
  if (root.type !== "object") return [invalidValue(`${path}.type`, root.type ?? "", "must be object at the root")];
  return [...schemaCauses(root, path), ...metadataCauses(root, path)];
}

function metadataCauses({ properties }: Schema, path: string): StatusCause[] {
  const fields = Object.keys(properties?.metadata?.properties ?? {});
  if (fields.every((field) => field === "name" || field === "generateName")) return [];
  const why = "must not specify anything other than name and generateName, but metadata is implicitly specified";
  return [forbiddenValue(`${path}.properties[metadata]`, why)];
}

function storedCauses({ status }: StoredObject, versions: readonly CrdVersion[]): StatusCause[] {
  const stored = (status as JsonObject | undefined)?.storedVersions as string[] | null | undefined;
  const field = "status.storedVersions";
  if (!stored?.length) return [invalidValue(field, null, "must have at least one stored version")];
  return versions
    .filter((version) => version.storage && !stored.includes(version.name))
    .map((version) => invalidValue(field, stored, `must have the storage version ${version.name}`));
}

function updateCauses(next: CrdSpec, live: CrdSpec): StatusCause[] {
  return [
    ...(next.scope === live.scope ? [] : [immutable("spec.scope", next.scope)]),
    ...(next.names.kind === live.names.kind ? [] : [immutable("spec.names.kind", next.names.kind)]),
  ];
}
