import { FieldSet } from "../fields/field-set.ts";
import { afterUpdate, decodeManagers, encodeManagers, type Manager, type Writer } from "../fields/managed-fields.ts";
import { equal, isObject, type JsonObject } from "../json.ts";
import { apiVersionOf, type KindContext, type ServedKind } from "../kinds/served-kind.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { timestamp, type World } from "./world.ts";

/** What an endpoint does not write, whatever the request says. */
export function ignoredFields(kind: ServedKind, subresource: string | undefined): FieldSet {
  if (subresource === "status") {
    if (kind.custom) return FieldSet.of(others(kind));
    const metadata = Object.fromEntries(kind.keptByStatus.map((field) => [`f:${field}`, {}]));
    return FieldSet.of({ "f:spec": {}, ...(kind.keptByStatus.length > 0 && { "f:metadata": metadata }) });
  }
  return kind.status ? FieldSet.of({ "f:status": {} }) : new FieldSet();
}

function others(kind: ServedKind): JsonObject {
  const fields = Object.keys(kind.schema.properties ?? {}).filter((field) => field !== "status");
  return Object.fromEntries(fields.map((field) => [`f:${field}`, {}]));
}

/** Who writes, for managedFields. */
export function writerOf(
  world: World,
  kind: ServedKind,
  manager: string,
  operation: Writer["operation"],
  subresource?: string,
): Writer {
  return {
    manager,
    operation,
    apiVersion: apiVersionOf(kind),
    time: timestamp(world.clock.now()),
    ...(subresource && { subresource }),
  };
}

/** The next version with the managedFields that an update by this writer leaves. */
export function trackUpdate(
  live: StoredObject | undefined,
  next: StoredObject,
  kind: ServedKind,
  writer: Writer,
): StoredObject {
  const before = managersBefore(live, next, writer.subresource !== undefined);
  if (live && before.length === 0) return withManagers(next, []);
  const base = live ?? ({ ...kind.zero, apiVersion: next.apiVersion, kind: next.kind } as StoredObject);
  const managers = afterUpdate(
    before,
    withoutManagers(base),
    withoutManagers(next),
    writer,
    kind.schema,
    ignoredFields(kind, writer.subresource),
  );
  return withManagers(next, managers);
}

/** A request may write managedFields itself: none, or one empty entry, resets them. */
function managersBefore(live: StoredObject | undefined, next: StoredObject, subresource: boolean): Manager[] {
  const stored = decodeManagers(live?.metadata.managedFields);
  if (subresource) return stored;
  const given = next.metadata.managedFields;
  if (given === undefined) return stored;
  const isReset = given.length === 1 && Object.keys(given[0]!).length === 0;
  return isReset ? [] : decodeManagers(given);
}

export function withManagers(object: StoredObject, managers: readonly Manager[]): StoredObject {
  const { managedFields: _, ...metadata } = object.metadata;
  const entries = encodeManagers(managers);
  return { ...object, metadata: entries.length > 0 ? { ...metadata, managedFields: entries } : metadata };
}

export function withoutManagers(object: StoredObject): StoredObject {
  if (!isObject(object.metadata) || !("managedFields" in object.metadata)) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Whether two versions differ in more than the times of managedFields. */
export function isUnchanged(live: StoredObject, next: StoredObject): boolean {
  const timeless = (object: StoredObject) =>
    (object.metadata.managedFields ?? []).map(({ time: _, ...entry }) => entry);
  return equal(withoutManagers(live), withoutManagers(next)) && equal(timeless(live), timeless(next));
}

export function contextOf(world: World): KindContext {
  return { now: world.clock.now(), list: (resource) => world.store.list(resource) };
}

/** Whether the change is one of those that make a new generation. */
export function isNewGeneration(kind: ServedKind, live: StoredObject, next: StoredObject): boolean {
  if (kind.generation === "none") return false;
  if (kind.generation === "spec") return !equal(live.spec, next.spec);
  const relevant = ({ metadata: _, apiVersion: __, status, ...rest }: StoredObject) =>
    kind.status ? rest : { ...rest, status };
  return !equal(relevant(live), relevant(next));
}
