import type { StatusCause } from "../http/status-error.ts";
import { equal, isObject, type JsonObject } from "../json.ts";
import { forbiddenValue, invalidValue, tooLong } from "../schema/causes.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { BuiltIn } from "./built-in.ts";
import { ageColumn, nameColumn } from "./columns.ts";

/** The bytes that all values of a ConfigMap or Secret may have together. */
export const MAX_DATA = 1_048_576;

export const configMap: BuiltIn = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  shortNames: ["cm"],
  schemaName: "api.core.v1.ConfigMap",
  validate: (object, live) => [...dataCauses(object), ...immutableCauses(object, live, ["data", "binaryData"])],
  columns: [
    nameColumn,
    {
      name: "Data",
      type: "string",
      value: (object) => entriesOf(object.data).length + entriesOf(object.binaryData).length,
    },
    ageColumn,
  ],
};

export function entriesOf(map: unknown): [string, string][] {
  return isObject(map) ? (Object.entries(map) as [string, string][]) : [];
}

function dataCauses(object: StoredObject): StatusCause[] {
  const binary = isObject(object.binaryData) ? object.binaryData : {};
  const causes = entriesOf(object.data).flatMap(([key]) => {
    const at = `data[${key}]`;
    const twice = Object.hasOwn(binary, key) ? [invalidValue(at, key, "duplicate of key present in binaryData")] : [];
    return [...keyCauses(at, key), ...twice];
  });
  causes.push(...entriesOf(binary).flatMap(([key]) => keyCauses(`binaryData[${key}]`, key)));
  const size = sizeOf(object.data) + entriesOf(binary).reduce((sum, [, text]) => sum + (text.length * 3) / 4, 0);
  return size > MAX_DATA ? [...causes, tooLong("[]", MAX_DATA)] : causes;
}

export function sizeOf(map: unknown): number {
  return entriesOf(map).reduce((sum, [, value]) => sum + new TextEncoder().encode(value).length, 0);
}

/** What is wrong with a key of a ConfigMap or Secret, which is a file's name. */
export function keyCauses(field: string, key: string): StatusCause[] {
  if (key === "." || key === "..") return [invalidValue(field, key, `must not be '${key}'`)];
  if (key.startsWith("..")) return [invalidValue(field, key, "must not start with '..'")];
  if (/^[-._a-zA-Z0-9]+$/.test(key)) return [];
  const examples = "e.g. 'key.name',  or 'KEY_NAME',  or 'key-name'";
  const why = `a valid config key must consist of alphanumeric characters, '-', '_' or '.' (${examples}, regex used for validation is '[-._a-zA-Z0-9]+')`;
  return [invalidValue(field, key, why)];
}

/** What an update changed of an object that was marked immutable. */
export function immutableCauses(
  object: StoredObject,
  live: StoredObject | undefined,
  fields: readonly string[],
): StatusCause[] {
  if (live?.immutable !== true) return [];
  const why = "field is immutable when `immutable` is set";
  const own = object.immutable === true ? [] : [forbiddenValue("immutable", why)];
  const changed = fields.filter((field) => !equal(object[field] ?? {}, (live as JsonObject)[field] ?? {}));
  return [...own, ...changed.map((field) => forbiddenValue(field, why))];
}
