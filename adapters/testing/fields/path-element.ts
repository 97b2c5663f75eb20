import { isObject, type JsonObject } from "../json.ts";
import { listKey, type Schema } from "../schema/schema.ts";

/** How an item of a merged list is named in a path: by its keys, or in a set by its value. */
export function itemElement(schema: Schema | undefined, item: unknown): string {
  if (schema?.["x-kubernetes-list-type"] !== "map" || !isObject(item)) return `v:${JSON.stringify(item)}`;
  const keys: JsonObject = {};
  for (const key of [...(schema["x-kubernetes-list-map-keys"] ?? [])].sort()) {
    keys[key] = listKey(schema.items, item, key);
  }
  return `k:${JSON.stringify(keys)}`;
}

/** A list's items by their path element. Of items with the same element the first counts. */
export function itemsByElement(schema: Schema | undefined, list: readonly unknown[]): Map<string, unknown> {
  const items = new Map<string, unknown>();
  for (const item of list) {
    const element = itemElement(schema, item);
    if (!items.has(element)) items.set(element, item);
  }
  return items;
}
