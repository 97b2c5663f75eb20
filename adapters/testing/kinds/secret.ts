import { equal, isObject } from "../json.ts";
import { invalidValue } from "../schema/validate.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { BuiltIn } from "./built-in.ts";
import { ageColumn, fieldColumn, nameColumn } from "./columns.ts";
import { count, immutableCauses, keyCauses } from "./config-map.ts";

export const secret: BuiltIn = {
  group: "",
  version: "v1",
  kind: "Secret",
  plural: "secrets",
  schemaName: "api.core.v1.Secret",
  setDefaults: (object) => ({ ...withStringData(object), type: object.type ?? "Opaque" }),
  prepareUpdate: (next, live) => (next.type === "" || next.type === undefined ? { ...next, type: live.type } : next),
  validate: (object, live) => [
    ...keyCauses(object, ["data"]),
    ...(live && !equal(object.type, live.type) ? [invalidValue("type", object.type, "field is immutable")] : []),
    ...immutableCauses(object, live),
  ],
  columns: [
    nameColumn,
    fieldColumn("Type", ["type"]),
    { name: "Data", type: "string", value: (object) => String(count(object.data)) },
    ageColumn,
  ],
  selectable: { type: ["type"] },
};

/** `stringData` is for writing only: it goes into `data`. */
function withStringData(object: StoredObject): StoredObject {
  if (!isObject(object.stringData)) return object;
  const { stringData, ...rest } = object;
  const data = isObject(object.data) ? { ...object.data } : {};
  for (const [key, text] of Object.entries(stringData as Record<string, string>)) data[key] = base64(text);
  return { ...rest, data } as StoredObject;
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
