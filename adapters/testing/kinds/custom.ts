import type { StatusCause } from "../http/status-error.ts";
import { isObject } from "../json.ts";
import { metadataSchema } from "../schema/built-in.ts";
import { withDefaults } from "../schema/defaults.ts";
import { prune } from "../schema/prune.ts";
import type { Schema } from "../schema/schema.ts";
import { validate } from "../schema/validate.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { ageColumn, nameColumn } from "./columns.ts";
import type { CrdSpec, CrdVersion, PrinterColumn } from "./crd-spec.ts";
import { valueAtJsonPath } from "./json-path.ts";
import type { Column, ServedKind } from "./served-kind.ts";

/** The kinds that a CRD serves, one a version. */
export function customKinds(crd: StoredObject): ServedKind[] {
  const spec = crd.spec as CrdSpec;
  const storage = spec.versions.find((version) => version.storage)!;
  const terminating = crd.metadata.deletionTimestamp !== undefined;
  return spec.versions
    .filter((version) => version.served)
    .map((version) => ({ ...customKind(spec, version, storage), terminating }));
}

function customKind(spec: CrdSpec, version: CrdVersion, storage: CrdVersion): ServedKind {
  const { names, group } = spec;
  const schema = withObjectFields(version.schema?.openAPIV3Schema ?? {});
  // Metadata is looked at as that of every object is; a CRD may only say more of its names.
  const own = version.schema?.openAPIV3Schema?.properties?.metadata;
  const validationSchema = { ...schema, properties: { ...schema.properties, ...(own && { metadata: own }) } };
  if (!own) delete validationSchema.properties.metadata;
  const status = version.subresources?.status !== undefined;
  const scale = version.subresources?.scale;
  const deprecation =
    version.deprecationWarning ??
    (version.deprecated ? `${group}/${version.name} ${names.kind} is deprecated` : undefined);
  return {
    group,
    version: version.name,
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: spec.scope === "Namespaced",
    resource: `${names.plural}.${group}`,
    schema,
    custom: true,
    zero: {},
    status,
    keptByStatus: [],
    ...(scale && {
      scale: {
        replicas: simplePath(scale.specReplicasPath),
        statusReplicas: simplePath(scale.statusReplicasPath),
        ...(scale.labelSelectorPath && { selector: simplePath(scale.labelSelectorPath) }),
      },
    }),
    generation: "all",
    unconditionalUpdate: false,
    createOnUpdate: false,
    prepareCreate: (object) => {
      if (!status) return object;
      const { status: _, ...rest } = object;
      return rest as StoredObject;
    },
    validate: (object) => validate(object, validationSchema, ""),
    validateStatus: ({ status: value }) => (value === undefined ? [] : statusCauses(value, schema)),
    ...(version !== storage && { toStored: (object: StoredObject) => inStorageSchema(object, storage) }),
    columns: columnsOf(version.additionalPrinterColumns),
    selectable: Object.fromEntries(
      (version.selectableFields ?? []).map(({ jsonPath }) => [jsonPath.slice(1), simplePath(jsonPath)]),
    ),
    ...(deprecation && { deprecation }),
  };
}

/** The words name the fields of a status as if it were the whole, their places do not. */
function statusCauses(status: unknown, schema: Schema): StatusCause[] {
  return validate(status, schema.properties?.status, "").map((cause) => ({
    ...cause,
    field: cause.field === "<nil>" ? "status" : `status.${cause.field}`,
  }));
}

/** What is written in another version is stored with the fields and defaults of the storage version. */
function inStorageSchema(object: StoredObject, storage: CrdVersion): StoredObject {
  const schema = withObjectFields(storage.schema?.openAPIV3Schema ?? {});
  return withDefaults(prune(object, schema, "", []), schema) as StoredObject;
}

/** `.spec.replicas` as a path of fields. */
function simplePath(jsonPath: string): string[] {
  return jsonPath.split(".").slice(1);
}

function withObjectFields(schema: Schema): Schema {
  return {
    ...schema,
    properties: {
      ...schema.properties,
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: metadataSchema,
    },
  };
}

function columnsOf(columns: readonly PrinterColumn[] | undefined): Column[] {
  if (!columns?.length) return [nameColumn, ageColumn];
  const own = columns.map(
    ({ name, type, format, priority, jsonPath }): Column => ({
      name,
      type,
      ...(format && { format }),
      ...(priority && { priority }),
      value: (object, now) => cell(valueAtJsonPath(object, jsonPath), type, now),
    }),
  );
  return [nameColumn, ...own];
}

function cell(value: unknown, type: string, now: number): unknown {
  if (value === undefined) return null;
  if (type === "date") return ageColumn.value({ metadata: { creationTimestamp: value } } as StoredObject, now);
  if (type === "string") return isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
  return value;
}
