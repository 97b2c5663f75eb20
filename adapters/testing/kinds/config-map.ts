import type { StatusCause } from "../http/status-error.ts";
import { equal, isObject } from "../json.ts";
import { invalidValue } from "../schema/validate.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { BuiltIn } from "./built-in.ts";
import { ageColumn, nameColumn } from "./columns.ts";

export const configMap: BuiltIn = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  shortNames: ["cm"],
  schemaName: "api.core.v1.ConfigMap",
  validate: (object, live) => [...keyCauses(object, ["data", "binaryData"]), ...immutableCauses(object, live)],
  columns: [
    nameColumn,
    { name: "Data", type: "string", value: (object) => String(count(object.data) + count(object.binaryData)) },
    ageColumn,
  ],
};

export function count(map: unknown): number {
  return isObject(map) ? Object.keys(map).length : 0;
}

/** What is wrong with the keys of ConfigMaps and Secrets, which are file names. */
export function keyCauses(object: StoredObject, fields: readonly string[]): StatusCause[] {
  return fields.flatMap((field) => {
    const map = object[field];
    return Object.keys(isObject(map) ? map : {}).flatMap((key) => {
      const at = `${field}[${key}]`;
      if (!/^[-._a-zA-Z0-9]+$/.test(key)) {
        const detail =
          "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
        return [invalidValue(at, key, detail)];
      }
      return [];
    });
  });
}

/** What an update changed of an object that was marked immutable. */
export function immutableCauses(object: StoredObject, live: StoredObject | undefined): StatusCause[] {
  if (live?.immutable !== true) return [];
  const forbidden = (field: string): StatusCause => ({
    reason: "FieldValueForbidden",
    message: "Forbidden: field is immutable when `immutable` is set",
    field,
  });
  const causes: StatusCause[] = [];
  if (object.immutable !== true) causes.push(forbidden("immutable"));
  for (const field of ["data", "binaryData"]) if (!equal(object[field], live[field])) causes.push(forbidden(field));
  return causes;
}
