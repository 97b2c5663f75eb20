import type { StatusCause } from "../http/status-error.ts";
import { at, isObject, type JsonObject } from "../json.ts";
import { invalidValue, required } from "../schema/causes.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { BuiltIn } from "./built-in.ts";
import { age, nameColumn } from "./columns.ts";
import type { Column } from "./served-kind.ts";

const involved = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];
const selectableFields = {
  ...Object.fromEntries(involved.map((field) => [`involvedObject.${field}`, ["involvedObject", field]])),
  reason: ["reason"],
  reportingComponent: ["reportingComponent"],
  source: ["source", "component"],
  type: ["type"],
};

/** What the two groups call the same fields, the core group's name first. */
const NAMES: [string, string][] = [
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["reportingComponent", "reportingController"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
];

const ALWAYS: JsonObject = {
  involvedObject: {},
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  eventTime: null,
  reportingComponent: "",
  reportingInstance: "",
};

export const coreEvent: BuiltIn = {
  group: "",
  version: "v1",
  kind: "Event",
  plural: "events",
  shortNames: ["ev"],
  schemaName: "api.core.v1.Event",
  zero: { metadata: {}, ...ALWAYS },
  createOnUpdate: true,
  setDefaults: (object) => ({ ...ALWAYS, ...object }),
  validate: (object) => eventCauses(object),
  selectable: selectableFields,
  columns: [
    { name: "Last Seen", type: "string", value: (object, now) => age(timeOf(object, "lastTimestamp"), now) },
    column("Type", "type"),
    column("Reason", "reason"),
    { name: "Object", type: "string", value: involvedText },
    { name: "Subobject", type: "string", priority: 1, value: (object) => at(involvedOf(object), ["fieldPath"]) ?? "" },
    { name: "Source", type: "string", priority: 1, value: sourceText },
    column("Message", "message"),
    {
      name: "First Seen",
      type: "string",
      priority: 1,
      value: (object, now) => age(timeOf(object, "firstTimestamp"), now),
    },
    { name: "Count", type: "string", priority: 1, value: (object) => field(object, "count") ?? 1 },
    { ...nameColumn, priority: 1 },
  ],
};

/** A field under either of its names. */
function field(object: StoredObject, name: string): unknown {
  const other = NAMES.find(([core]) => core === name)?.[1];
  return object[name] ?? (other && object[other]);
}

function column(name: string, of: string): Column {
  return { name, type: "string", value: (object) => field(object, of) ?? "" };
}

function involvedOf(object: StoredObject): JsonObject {
  const involved = field(object, "involvedObject");
  return isObject(involved) ? involved : {};
}

function involvedText(object: StoredObject): string {
  const { kind, name } = involvedOf(object);
  return `${String(kind ?? "").toLowerCase()}${name ? `/${name}` : ""}`;
}

function sourceText(object: StoredObject): unknown {
  const source = field(object, "source");
  return (isObject(source) && source.component) || field(object, "reportingComponent") || "";
}

function timeOf(object: StoredObject, name: string): unknown {
  return field(object, name) ?? object.eventTime ?? undefined;
}

/** Events of events.k8s.io are those of the core group, with other names for some fields. */
export const event: BuiltIn = {
  ...coreEvent,
  group: "events.k8s.io",
  schemaName: "api.events.v1.Event",
  resource: "events",
  invalidAs: { group: "", kind: "Event" },
  zero: renamed({ metadata: {}, ...ALWAYS }, 1),
  setDefaults: (object) => ({ ...renamed(ALWAYS, 1), ...object }) as StoredObject,
  toStored: (object) => renamed(object, 0) as StoredObject,
  fromStored: (object) => withoutEmpty(renamed(object, 1)),
  validate: (object) => [...eventCauses(object), ...newEventCauses(object)],
};

function renamed(object: JsonObject, to: 0 | 1): JsonObject {
  const result = { ...object };
  for (const names of NAMES) {
    const from = names[1 - to]!;
    if (!(from in result)) continue;
    result[names[to]!] = result[from];
    delete result[from];
  }
  return result;
}

/** The newer group leaves these out where they are empty. */
function withoutEmpty(object: JsonObject): StoredObject {
  const result = { ...object };
  if (result.reportingController === "") delete result.reportingController;
  if (result.reportingInstance === "") delete result.reportingInstance;
  return result as StoredObject;
}

function eventCauses({ metadata, involvedObject, regarding }: StoredObject): StatusCause[] {
  const object = isObject(involvedObject) ? involvedObject : isObject(regarding) ? regarding : {};
  const namespace = object.namespace ?? "";
  if (namespace === metadata.namespace || (namespace === "" && metadata.namespace === "default")) return [];
  return [invalidValue("involvedObject.namespace", namespace, "does not match event.namespace")];
}

function newEventCauses({ eventTime, type = "" }: StoredObject): StatusCause[] {
  const causes = eventTime ? [] : [required("eventTime")];
  if (type === "Normal" || type === "Warning") return causes;
  return [...causes, invalidValue("type", type, `has invalid value: ${type}`)];
}
