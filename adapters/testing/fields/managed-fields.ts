import type { ManagedFieldsEntry } from "../../../functions/kube/resource.ts";
import type { Schema } from "../schema/schema.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { compare } from "./compare.ts";
import { FieldSet } from "./field-set.ts";

/** One manager's entry, opened up. */
export type Manager = {
  manager: string;
  operation: "Apply" | "Update";
  apiVersion: string;
  subresource?: string;
  time?: string;
  fields: FieldSet;
};

/** Who writes, how, and when (RFC 3339, whole seconds). */
export type Writer = Omit<Manager, "fields">;

/** Fields that nobody owns: the API server's own, and what names the object. */
const NOBODYS = FieldSet.of({
  "f:apiVersion": {},
  "f:kind": {},
  "f:metadata": {
    ".": {},
    "f:name": {},
    "f:namespace": {},
    "f:creationTimestamp": {},
    "f:selfLink": {},
    "f:uid": {},
    "f:clusterName": {},
    "f:generation": {},
    "f:managedFields": {},
    "f:resourceVersion": {},
  },
});

/** At most this many entries of updates are kept apart; the oldest are folded into one. As the API server does. */
const MAX_UPDATERS = 10;

export function decodeManagers(entries: readonly ManagedFieldsEntry[] | undefined): Manager[] {
  return (entries ?? []).map((entry) => ({
    manager: entry.manager ?? "",
    operation: entry.operation === "Apply" ? "Apply" : "Update",
    apiVersion: entry.apiVersion ?? "",
    ...(entry.subresource && { subresource: entry.subresource }),
    ...(entry.time && { time: entry.time }),
    fields: FieldSet.of(entry.fieldsV1),
  }));
}

export function encodeManagers(managers: readonly Manager[]): ManagedFieldsEntry[] {
  const entries = foldOldest(managers.filter((manager) => !manager.fields.isEmpty()));
  return entries.sort(byOrder).map((manager) => ({
    manager: manager.manager,
    operation: manager.operation,
    apiVersion: manager.apiVersion,
    ...(manager.time && { time: manager.time }),
    fieldsType: "FieldsV1",
    fieldsV1: manager.fields.toFieldsV1(),
    ...(manager.subresource && { subresource: manager.subresource }),
  }));
}

/** Whether an entry is this writer's. An applier keeps one entry over all versions of a kind. */
export function isSame(a: Writer | Manager, b: Writer | Manager): boolean {
  return (
    a.manager === b.manager &&
    a.operation === b.operation &&
    (a.subresource ?? "") === (b.subresource ?? "") &&
    (a.operation === "Apply" || a.apiVersion === b.apiVersion)
  );
}

/** A set without what nobody owns, and without what this endpoint does not write. */
export function ownable(fields: FieldSet, ignored: FieldSet): FieldSet {
  return strip(fields.without(ignored));
}

function strip(fields: FieldSet): FieldSet {
  const result = fields.without(new FieldSet());
  for (const element of NOBODYS.members) result.members.delete(element);
  result.members.delete("f:metadata");
  const metadata = result.children.get("f:metadata");
  if (metadata) {
    const rest = metadata.without(NOBODYS.children.get("f:metadata")!);
    if (rest.isEmpty()) result.children.delete("f:metadata");
    else result.children.set("f:metadata", rest);
  }
  return result;
}

/**
 * The managers after an update: what changed is the writer's, and no longer another's.
 * @param ignored what this endpoint does not write.
 */
export function afterUpdate(
  managers: readonly Manager[],
  before: StoredObject,
  after: StoredObject,
  writer: Writer,
  schema: Schema,
  ignored: FieldSet,
): Manager[] {
  const { added, modified, removed } = compare(before, after, schema);
  const taken = ownable(added.union(modified), ignored);
  const gone = ownable(removed, ignored);
  const result = managers.map((manager) => ({ ...manager, fields: manager.fields.difference(taken).difference(gone) }));
  if (taken.isEmpty()) return result.filter((manager) => !manager.fields.isEmpty());
  const own = managers.findIndex((manager) => isSame(manager, writer));
  const rest = own < 0 ? undefined : result[own];
  const entry = { ...writer, fields: rest ? rest.fields.union(taken) : taken };
  return [...result.filter((_, index) => index !== own), entry].filter((manager) => !manager.fields.isEmpty());
}

function foldOldest(managers: Manager[]): Manager[] {
  const updaters = managers.filter((manager) => manager.operation === "Update" && !manager.subresource).sort(byOrder);
  const excess = updaters.length - MAX_UPDATERS;
  if (excess <= 0) return managers;
  const folded = updaters.slice(0, excess + 1);
  const ancient: Manager = {
    ...folded.at(-1)!,
    manager: "ancient-changes",
    fields: folded.reduce((all, manager) => all.union(manager.fields), new FieldSet()),
  };
  return [...managers.filter((manager) => !folded.includes(manager)), ancient];
}

function byOrder(a: Manager, b: Manager): number {
  const keys = (m: Manager) => [m.operation, m.time ?? "", m.manager, m.apiVersion, m.subresource ?? ""];
  const [x, y] = [keys(a), keys(b)];
  const index = x.findIndex((key, i) => key !== y[i]);
  return index < 0 ? 0 : x[index]! < y[index]! ? -1 : 1;
}
