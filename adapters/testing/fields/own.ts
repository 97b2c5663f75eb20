import { isObject } from "../json.ts";
import { fieldSchema, isNamedField, mergingOf, type Schema } from "../schema/schema.ts";
import { FieldSet } from "./field-set.ts";
import { itemElement } from "./path-element.ts";

/** The fields that an applied object holds: what its manager comes to own. */
export function fieldsOf(value: unknown, schema: Schema | undefined): FieldSet {
  const set = new FieldSet();
  collect(set, [], value, schema);
  return set;
}

function collect(set: FieldSet, path: readonly string[], value: unknown, schema: Schema | undefined): void {
  const merging = mergingOf(schema, value);
  if (merging === "atomic" || merging === "scalar") {
    set.insert(path);
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value) {
      const inner = [...path, itemElement(schema, item)];
      collect(set, inner, item, schema?.items);
      set.insert(inner);
    }
    return;
  }
  for (const [field, item] of Object.entries(value as object)) {
    const inner = [...path, `f:${field}`];
    collect(set, inner, item, fieldSchema(schema, field));
    const empty = item === null || (isObject(item) && Object.keys(item).length === 0);
    if (empty || !isNamedField(schema, field)) set.insert(inner);
  }
}

/** The set with every named field on the way to a member as a member too. */
export function withNamedFields(set: FieldSet, schema: Schema | undefined): FieldSet {
  const result = new FieldSet();
  for (const element of set.members) result.members.add(element);
  for (const [element, child] of set.children) {
    const field = element.startsWith("f:") ? element.slice(2) : undefined;
    if (field !== undefined && isNamedField(schema, field)) result.members.add(element);
    const inner = field === undefined ? schema?.items : fieldSchema(schema, field);
    result.children.set(element, withNamedFields(child, inner));
  }
  return result;
}
