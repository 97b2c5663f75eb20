import type { JsonObject } from "../json.ts";
import { equal } from "../json.ts";
import type { Schema } from "../schema/schema.ts";
import { compare } from "./compare.ts";
import { conflictOfManagers } from "./conflicts.ts";
import type { FieldSet } from "./field-set.ts";
import { isSame, type Manager, ownable, type Writer } from "./managed-fields.ts";
import { merge, remove } from "./merge.ts";
import { fieldsOf, withNamedFields } from "./own.ts";

export type Applied = { object: JsonObject; managers: Manager[] };

/**
 * Server-side apply, as a pure step: lays the applied object over the live one, takes away what its manager owned before,
 * no longer asks for, and nobody else owns, and moves the ownership.
 * @throws StatusError 409 where other managers own changed fields and `force` is false.
 */
export function applyFields(
  live: JsonObject,
  applied: JsonObject,
  managers: readonly Manager[],
  writer: Writer,
  { schema, ignored, force }: { schema: Schema; ignored: FieldSet; force: boolean },
): Applied {
  const previous = managers.find((manager) => isSame(manager, writer));
  const own: Manager = { ...writer, fields: ownable(fieldsOf(applied, schema), ignored) };
  const others = managers.filter((manager) => manager !== previous);
  const merged = merge(live, applied, schema) as JsonObject;
  const object = previous ? prune(merged, previous.fields, [...others, own], schema) : merged;

  const { added, modified, removed } = compare(live, object, schema);
  const changed = ownable(added.union(modified), ignored);
  const conflicts = others
    .map((manager) => ({ manager, fields: manager.fields.intersection(changed) }))
    .filter(({ fields }) => !fields.isEmpty());
  if (conflicts.length > 0 && !force) throw conflictOfManagers(conflicts);

  const result = others
    .map((manager) => ({ ...manager, fields: manager.fields.difference(changed).difference(removed) }))
    .filter((manager) => !manager.fields.isEmpty());
  const unchanged = equal(live, object);
  const time = unchanged ? previous?.time : writer.time;
  const { time: _, ...entry } = own;
  return { object, managers: own.fields.isEmpty() ? result : [...result, time ? { ...entry, time } : entry] };
}

/** Removes what was owned before and is owned by nobody now. An object without metadata would be none. */
function prune(merged: JsonObject, before: FieldSet, managers: readonly Manager[], schema: Schema): JsonObject {
  const without = (fields: FieldSet) => (remove(merged, fields, schema) ?? {}) as JsonObject;
  const fieldsIn = (object: JsonObject) => withNamedFields(fieldsOf(object, schema), schema);
  const last = withNamedFields(before, schema);
  const all = fieldsIn(merged);
  const owned = managers.reduce((sum, manager) => sum.union(manager.fields), fieldsIn(without(last)));
  const restored = without(all.difference(withNamedFields(owned, schema)));
  const dropped = all.difference(fieldsIn(restored)).intersection(last);
  dropped.members.delete("f:metadata");
  return without(dropped);
}
