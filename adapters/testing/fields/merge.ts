import { isObject, type JsonObject } from "../json.ts";
import { fieldSchema, mergingOf, type Schema } from "../schema/schema.ts";
import type { FieldSet } from "./field-set.ts";
import { itemElement, itemsByElement } from "./path-element.ts";

/** The live value with what an applied one says laid over it. */
export function merge(live: unknown, applied: unknown, schema: Schema | undefined): unknown {
  if (applied === undefined) return live;
  const merging = mergingOf(schema, applied);
  if (merging === "atomic" || merging === "scalar") return applied;
  if (Array.isArray(applied)) return mergeLists(Array.isArray(live) ? live : [], applied, schema);
  const result: JsonObject = isObject(live) ? { ...live } : {};
  for (const [field, value] of Object.entries(applied as object)) {
    result[field] = merge(result[field], value, fieldSchema(schema, field));
  }
  return result;
}

/** Items of both in the applied one's order; the live list's others stay where they are among them. */
function mergeLists(live: readonly unknown[], applied: readonly unknown[], schema: Schema | undefined): unknown[] {
  const liveItems = itemsByElement(schema, live);
  const appliedElements = applied.map((item) => itemElement(schema, item));
  const inApplied = new Set(appliedElements);
  const shared = appliedElements.filter((element) => liveItems.has(element));
  const done = new Set<string>();
  const result: unknown[] = [];
  let [l, a, next] = [0, 0, 0];
  const take = (element: string) => {
    done.add(element);
    result.push(merge(liveItems.get(element), applied[a], schema?.items));
    a++;
    if (shared[next] === element) next++;
  };
  while (l < live.length || a < applied.length) {
    const liveElement = l < live.length ? itemElement(schema, live[l]) : undefined;
    const appliedElement = appliedElements[a];
    if (liveElement !== undefined && appliedElement !== undefined) {
      if (liveElement === appliedElement) {
        take(appliedElement);
        l++;
        continue;
      }
      if (inApplied.has(liveElement) && next < shared.length && shared[next] !== liveElement) {
        l++;
        continue;
      }
    }
    if (liveElement !== undefined && !inApplied.has(liveElement)) {
      result.push(live[l]);
      l++;
      continue;
    }
    if (liveElement !== undefined && done.has(liveElement)) l++;
    if (appliedElement !== undefined) take(appliedElement);
  }
  return result;
}

/**
 * The value without the fields of a set. Undefined where nothing is left of it; what is left empty within it becomes null:
 * it is still there, for whoever asks next what went and what only lost all that was in it.
 */
export function remove(value: unknown, fields: FieldSet, schema: Schema | undefined): unknown {
  if (mergingOf(schema, value) === "atomic") return value;
  if (Array.isArray(value)) {
    if (value.length === 0) return value;
    const kept = value.flatMap((item) => {
      const element = itemElement(schema, item);
      if (fields.members.has(element)) return [];
      const inner = fields.children.get(element);
      return [inner ? (remove(item, inner, schema?.items) ?? null) : item];
    });
    return kept.length > 0 ? kept : undefined;
  }
  if (!isObject(value) || Object.keys(value).length === 0) return value;
  const kept: JsonObject = {};
  for (const [field, item] of Object.entries(value)) {
    if (fields.members.has(`f:${field}`)) continue;
    const inner = fields.children.get(`f:${field}`);
    kept[field] = inner ? (remove(item, inner, fieldSchema(schema, field)) ?? null) : item;
  }
  return Object.keys(kept).length > 0 ? kept : undefined;
}
