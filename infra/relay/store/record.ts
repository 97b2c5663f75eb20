import type { KubeObject } from "../../../functions/kube/resource.ts";
import { fieldOf, namesOf } from "../map/map.ts";
import type { WatchPlan } from "../plan/plan.ts";
import { sameRelations } from "../plan/plan-diff.ts";
import { NOBODY, type Writers, writersOf } from "../predicate/own-writes.ts";
import { generationValue } from "../predicate/predicate.ts";
import { NO_VALUE, predicateValue } from "../predicate/value.ts";

/** All that is kept of an object (R3): never the object. */
export type ObjectRecord = {
  uid: string;
  version: string;
  /** What the predicate `generation` compares; empty where no relation asks. */
  generation: string;
  /** The plan's `values`, which other predicates compare. */
  values: readonly number[];
  /** Per relation the primaries that the object names, or the ids that code told. */
  names: readonly (readonly string[])[];
  /** The values of the plan's `fields`. */
  fields: readonly string[];
  /** Who wrote it, as seen by each of the plan's `managers`. */
  writers: readonly Writers[];
  /** The newest list that held the object. */
  list: number;
  /** Relations by code that were not told of this version yet: `names` is what they told of the one before. */
  unmapped?: readonly number[];
  /** Carried over from another plan: what that did not ask for comes with the next list. */
  stale?: true;
};

const NONE: readonly never[] = [];

/**
 * What an object's record is, as of the list with this number.
 * @param before the record until now: what code told of it stands until it tells again.
 */
export function recordOf(plan: WatchPlan, object: KubeObject, list: number, before?: ObjectRecord): ObjectRecord {
  const meta = object.metadata;
  const names = plan.relations.map((relation, i) =>
    relation.mapping.by === "code" ? (before?.names[i] ?? NONE) : namesOf(relation, object),
  );
  return {
    uid: meta.uid,
    version: meta.resourceVersion,
    generation: comparesGenerations(plan) ? generationValue(meta) : "",
    values: plan.values.length === 0 ? NONE : plan.values.map((value) => predicateValue(value, object)),
    names: compact(names),
    fields: plan.fields.length === 0 ? NONE : plan.fields.map((field) => fieldOf(object, field)),
    writers: plan.managers.length === 0 ? NONE : plan.managers.map((own) => writersOf(meta.managedFields, own)),
    list,
  };
}

/** What is kept of an object when its watch goes on by another plan; with new relations it is about to list anew. */
export function carriedOver(from: WatchPlan, to: WatchPlan): (record: ObjectRecord) => ObjectRecord {
  const relations = sameRelations(from, to);
  const fields = to.fields.map((field) => from.fields.indexOf(field));
  const managers = to.managers.map((manager) => from.managers.indexOf(manager));
  const texts = from.values.map((value) => JSON.stringify(value));
  const values = to.values.map((value) => texts.indexOf(JSON.stringify(value)));
  const listing = relations.includes(undefined) ? ({ list: 0, stale: true } as const) : {};
  return ({ unmapped = [], ...record }) => ({
    ...record,
    generation: comparesGenerations(to) ? record.generation : "",
    values: values.map((before) => record.values[before] ?? NO_VALUE),
    names: compact(relations.map((before) => (before === undefined ? NONE : (record.names[before] ?? NONE)))),
    fields: fields.map((before) => record.fields[before] ?? ""),
    writers: managers.map((before) => record.writers[before] ?? { time: "", others: NOBODY }),
    ...unmappedIn(relations.flatMap((before, i) => (before !== undefined && unmapped.includes(before) ? i : []))),
    ...listing,
  });
}

function unmappedIn(relations: readonly number[]): Pick<ObjectRecord, "unmapped"> {
  return relations.length === 0 ? {} : { unmapped: relations };
}

/**
 * A record with the ids that code told by one of its relations.
 * @param state whether nothing newer waits to be told, and how many relations there are.
 */
export function mappedRecord(
  { unmapped = [], ...record }: ObjectRecord,
  relation: number,
  ids: readonly string[],
  { newest, relations }: { newest: boolean; relations: number },
): ObjectRecord {
  const names = Array.from({ length: relations }, (_, i) => (i === relation ? ids : (record.names[i] ?? NONE)));
  const left = newest ? unmapped.filter((each) => each !== relation) : unmapped;
  return { ...record, names: compact(names), ...unmappedIn(left) };
}

function comparesGenerations(plan: WatchPlan): boolean {
  return plan.relations.some((relation) => relation.predicate === "generation");
}

/** Most objects name nobody: for them no list is kept. */
function compact(names: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return names.every((each) => each.length === 0) ? NONE : names;
}
