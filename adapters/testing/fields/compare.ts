import { equal, isObject } from "../json.ts";
import { fieldSchema, mergingOf, type Schema } from "../schema/schema.ts";
import { FieldSet } from "./field-set.ts";
import { itemsByElement } from "./path-element.ts";

export type Comparison = { added: FieldSet; modified: FieldSet; removed: FieldSet };

/** Which fields differ between two versions. An object or list that appears or goes whole is in the set itself too. */
export function compare(before: unknown, after: unknown, schema: Schema | undefined): Comparison {
  const comparison = { added: new FieldSet(), modified: new FieldSet(), removed: new FieldSet() };
  walk(comparison, [], before, after, schema);
  return comparison;
}

function walk(sets: Comparison, path: readonly string[], before: unknown, after: unknown, schema?: Schema): void {
  if (isLeaf(before, after, schema)) {
    if (before === undefined) sets.added.insert(path);
    else if (after === undefined) sets.removed.insert(path);
    else if (!equal(before, after)) sets.modified.insert(path);
    return;
  }
  // Of a value that changes its type both is so: it is another, and what was in the old one is gone.
  if (isPresent(before) && isPresent(after) && kindOf(before) !== kindOf(after)) sets.modified.insert(path);
  const [left, right] = [parts(before, schema), parts(after, schema)];
  for (const element of new Set([...left.keys(), ...right.keys()])) {
    const inner = element.startsWith("f:") ? fieldSchema(schema, element.slice(2)) : schema?.items;
    walk(sets, [...path, element], left.get(element), right.get(element), inner);
  }
  if (before === undefined) sets.added.insert(path);
  else if (after === undefined) sets.removed.insert(path);
}

function isLeaf(before: unknown, after: unknown, schema: Schema | undefined): boolean {
  const sides = [before, after].filter(isPresent);
  if (sides.every(isEmpty)) return true;
  const isWhole = (side: unknown) => ["atomic", "scalar"].includes(mergingOf(schema, side));
  const isChange = sides.length === 2 && kindOf(before) !== kindOf(after);
  return isChange ? sides.every(isWhole) : sides.some(isWhole);
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "list" : typeof value;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

function parts(value: unknown, schema: Schema | undefined): Map<string, unknown> {
  if (mergingOf(schema, value) === "atomic") return new Map();
  if (Array.isArray(value)) return itemsByElement(schema, value);
  return new Map(isObject(value) ? Object.entries(value).map(([field, inner]) => [`f:${field}`, inner]) : []);
}
