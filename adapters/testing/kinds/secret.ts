import { parseGoJson } from "../http/go-json.ts";
import type { StatusCause } from "../http/status-error.ts";
import { isObject } from "../json.ts";
import { immutable, invalidValue, required } from "../schema/causes.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { BuiltIn } from "./built-in.ts";
import { ageColumn, fieldColumn, nameColumn } from "./columns.ts";
import { entriesOf, immutableCauses, keyCauses } from "./config-map.ts";

export const secret: BuiltIn = {
  group: "",
  version: "v1",
  kind: "Secret",
  plural: "secrets",
  schemaName: "api.core.v1.Secret",
  setDefaults: (object) => ({ ...withStringData(object), type: object.type ?? "Opaque" }),
  validate: (object, live) => [
    ...entriesOf(object.data).flatMap(([key]) => keyCauses(`data[${key}]`, key)),
    ...typeCauses(object),
    ...(live && object.type !== live.type ? [immutable("type", object.type)] : []),
    ...immutableCauses(object, live, ["data"]),
  ],
  columns: [
    nameColumn,
    fieldColumn("Type", ["type"]),
    { name: "Data", type: "string", value: (object) => entriesOf(object.data).length },
    ageColumn,
  ],
  selectable: { type: ["type"] },
};

/** Keys that a Secret of a known type cannot do without. */
const NEEDED: Record<string, readonly string[]> = {
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
  "kubernetes.io/ssh-auth": ["ssh-privatekey"],
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
};

function typeCauses({ type, data: given, metadata }: StoredObject): StatusCause[] {
  const data = isObject(given) ? given : {};
  const missing = (key: string) => (data[key] === undefined ? [required(`data[${key}]`)] : []);
  if (type === "kubernetes.io/basic-auth" && data.username === undefined && data.password === undefined) {
    return ["username", "password"].flatMap(missing);
  }
  if (type === "kubernetes.io/service-account-token") {
    const annotation = "kubernetes.io/service-account.name";
    return metadata.annotations?.[annotation] ? [] : [required(`metadata.annotations[${annotation}]`)];
  }
  return (NEEDED[String(type)] ?? []).flatMap((key) => [
    ...missing(key),
    ...(key.startsWith(".") ? notJson(key, data[key]) : []),
  ]);
}

function notJson(key: string, value: unknown): StatusCause[] {
  if (typeof value !== "string") return [];
  try {
    parseGoJson(atob(value));
    return [];
  } catch (error) {
    return [invalidValue(`data[${key}]`, "<secret contents redacted>", (error as Error).message)];
  }
}

/** `stringData` is for writing only: it goes into `data`. */
function withStringData(object: StoredObject): StoredObject {
  if (!isObject(object.stringData)) return object;
  const { stringData, ...rest } = object;
  const data = isObject(object.data) ? { ...object.data } : {};
  for (const [key, text] of entriesOf(stringData)) data[key] = base64(text);
  return { ...rest, data } as StoredObject;
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
