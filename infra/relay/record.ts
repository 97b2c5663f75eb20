import type { KubeObject } from "../../functions/kube/resource.ts";
import { fieldOf, namesOf } from "./map.ts";
import { type Writers, writersOf } from "./own-writes.ts";
import type { WatchPlan } from "./plan.ts";
import { generationValue } from "./predicate.ts";

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
};

const NONE: readonly never[] = [];

/** What an object's record is, as of the list with this number. */
export function recordOf(plan: WatchPlan, object: KubeObject, list: number): ObjectRecord {
  const meta = object.metadata;
  const names = plan.relations.map((relation) => namesOf(relation, meta));
  return {
    uid: meta.uid,
    version: meta.resourceVersion,
    generation: plan.relations.some((relation) => relation.predicate === "generation") ? generationValue(meta) : "",
    names: names.every((each) => each.length === 0) ? NONE : names,
    fields: plan.fields.length === 0 ? NONE : plan.fields.map((field) => fieldOf(object, field)),
    writers: plan.managers.length === 0 ? NONE : plan.managers.map((own) => writersOf(meta.managedFields, own)),
    list,
  };
}
