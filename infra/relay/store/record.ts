import type { KubeObject } from "../../../functions/kube/resource.ts";
import { fieldOf, namesOf } from "../map/map.ts";
import type { WatchPlan } from "../plan/plan.ts";
import { sameRelations } from "../plan/plan-diff.ts";
import { NOBODY, type Writers, writersOf } from "../predicate/own-writes.ts";
import { generationValue } from "../predicate/predicate.ts";

/** All that is kept of an object (R3): never the object. */
export type ObjectRecord = {
  uid: string;
  version: string;
  /** What the predicate `generation` compares; empty where no relation asks. */
  generation: string;
  /** Per relation the primaries that the object names. */
  names: readonly (readonly string[])[];
  /** The values of the plan's `fields`. */
  fields: readonly string[];
  /** Who wrote it, as seen by each of the plan's `managers`. */
  writers: readonly Writers[];
  /** The newest list that held the object. */
  list: number;
  /** Carried over from another plan: what that did not ask for comes with the next list. */
  stale?: true;
};

const NONE: readonly never[] = [];

/** What an object's record is, as of the list with this number. */
export function recordOf(plan: WatchPlan, object: KubeObject, list: number): ObjectRecord {
  const meta = object.metadata;
  return {
    uid: meta.uid,
    version: meta.resourceVersion,
    generation: comparesGenerations(plan) ? generationValue(meta) : "",
    names: compact(plan.relations.map((relation) => namesOf(relation, meta))),
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
  const listing = relations.includes(undefined) ? ({ list: 0, stale: true } as const) : {};
  return (record) => ({
    ...record,
    generation: comparesGenerations(to) ? record.generation : "",
    names: compact(relations.map((before) => (before === undefined ? NONE : (record.names[before] ?? NONE)))),
    fields: fields.map((before) => record.fields[before] ?? ""),
    writers: managers.map((before) => record.writers[before] ?? { time: "", others: NOBODY }),
    ...listing,
  });
}

function comparesGenerations(plan: WatchPlan): boolean {
  return plan.relations.some((relation) => relation.predicate === "generation");
}

/** Most objects name nobody: for them no list is kept. */
function compact(names: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return names.every((each) => each.length === 0) ? NONE : names;
}
