import type { Predicate } from "../../../functions/contract/index.ts";
import type { ObjectMeta } from "../../../functions/kube/resource.ts";

/**
 * What a watch event must change to pass the predicate `generation` (R6): the generation, or the state of the deletion.
 * Finalizers count only while the object is being deleted, when they are what the others wait for. A kind without a
 * generation changes with every version.
 */
export function generationValue(meta: ObjectMeta): string {
  const generation = meta.generation ? String(meta.generation) : `v${meta.resourceVersion}`;
  return meta.deletionTimestamp === undefined
    ? generation
    : `${generation} deleting ${(meta.finalizers ?? []).join(" ")}`;
}

/** Whether a change of an object passes. Its version has changed already, which is all that `resourceVersion` asks. */
export function passes(predicate: Predicate, before: { generation: string }, after: { generation: string }): boolean {
  return predicate === "resourceVersion" || before.generation !== after.generation;
}
