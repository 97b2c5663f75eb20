import type { StatusCause } from "../http/status-error.ts";
import { equal } from "../json.ts";
import { letterLabelProblems } from "../metadata/names.ts";
import { invalidValue, required } from "../schema/causes.ts";
import { fieldSchema, type Schema } from "../schema/schema.ts";
import type { CrdVersion, PrinterColumn } from "./crd-spec.ts";

const COLUMN_TYPES = ["boolean", "date", "integer", "number", "string"];

/** What is wrong with one of a CRD's versions, its schema aside. */
export function versionCauses(versions: readonly CrdVersion[], index: number): StatusCause[] {
  const version = versions[index]!;
  const own = `spec.versions[${index}]`;
  const { name = "" } = version;
  const causes = letterLabelProblems(name).map((problem) => invalidValue(`${own}.name`, name, problem));
  const visit = (field: keyof CrdVersion, visitor: (path: string) => StatusCause[]) => {
    const same = versions.every((other) => equal(other[field], version[field]));
    if (!same || index === 0) causes.push(...visitor(same ? `spec.${field}` : `${own}.${field}`));
  };
  visit("additionalPrinterColumns", (path) =>
    (version.additionalPrinterColumns ?? []).flatMap((column, at) => columnCauses(column, `${path}[${at}]`)),
  );
  visit("subresources", (path) => scaleCauses(version, `${path}.scale`));
  visit("selectableFields", (path) => selectableCauses(version, path));
  return causes;
}

function columnCauses({ name, type, jsonPath }: PrinterColumn, path: string): StatusCause[] {
  const causes = name ? [] : [required(`${path}.name`)];
  const types = `must be one of ${COLUMN_TYPES.join(",")}`;
  if (!type) causes.push(required(`${path}.type`, types));
  else if (!COLUMN_TYPES.includes(type)) causes.push(invalidValue(`${path}.type`, type, types));
  return [...causes, ...pathCauses(jsonPath, `${path}.JSONPath`)];
}

function pathCauses(jsonPath: string | undefined, field: string): StatusCause[] {
  if (!jsonPath) return [required(field)];
  return jsonPath.startsWith(".") ? [] : [invalidValue(field, jsonPath, "must be a simple json path starting with .")];
}

function scaleCauses({ subresources }: CrdVersion, path: string): StatusCause[] {
  const scale = subresources?.scale;
  if (!scale) return [];
  const under = (field: keyof typeof scale, roots: readonly string[], isRequired = true): StatusCause[] => {
    const place = `${path}.${field}`;
    const given = scale[field];
    if (!given) return isRequired ? [required(place)] : [];
    const causes = pathCauses(given, place);
    if (causes.length > 0 || roots.some((root) => given.startsWith(`${root}.`))) return causes;
    const where = roots.length > 1 ? `either ${roots.join(" or ")}` : roots[0];
    return [invalidValue(place, given, `should be a json path under ${where}`)];
  };
  return [
    ...under("specReplicasPath", [".spec"]),
    ...under("statusReplicasPath", [".status"]),
    ...under("labelSelectorPath", [".spec", ".status"], false),
  ];
}

function selectableCauses({ selectableFields = [], schema }: CrdVersion, path: string): StatusCause[] {
  return selectableFields.flatMap(({ jsonPath }, index) => {
    const field = `${path}[${index}].jsonPath`;
    if (!jsonPath) return [required(field)];
    const found = jsonPath
      .split(".")
      .slice(1)
      .reduce<Schema | undefined>((current, name) => fieldSchema(current, name), schema?.openAPIV3Schema);
    return found ? [] : [invalidValue(field, jsonPath, "is an invalid path: does not refer to a valid field")];
  });
}
