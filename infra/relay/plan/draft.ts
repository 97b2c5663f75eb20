import type { WatchSpec } from "../../../functions/contract/index.ts";
import { collectionPath } from "../../../functions/kube/paths.ts";
import type { PredicateValue } from "../predicate/value.ts";
import type { PlannedRelation, WatchPlan } from "./plan.ts";
import { fieldSelectorOf, labelSelectorOf } from "./selection.ts";

/** A watch whose relations are still being put together. */
export type Draft = Omit<WatchPlan, "fields" | "values" | "fullObjects" | "managers" | "relations"> & {
  fields: string[];
  values: PredicateValue[];
  managers: string[];
  relations: PlannedRelation[];
};

/** One draft for each path and selector, however many relations ask for it (R8). */
export function createDrafts() {
  const drafts = new Map<string, Draft>();
  return {
    /**
     * @param namespace all of them where it is undefined.
     * @param ownSelector more labels that are asked for.
     */
    in(namespace: string | undefined, watch: WatchSpec, ownSelector = ""): Draft {
      const path = collectionPath(watch.resource, namespace);
      const labelSelector = [labelSelectorOf(watch), ownSelector].filter(Boolean).join(",");
      const fieldSelector = fieldSelectorOf(watch);
      const selectors = [labelSelector, fieldSelector === "" ? "" : `fields:${fieldSelector}`].filter(Boolean);
      const id = [path, ...selectors].join("?");
      const found = drafts.get(id);
      if (found) return found;
      const draft: Draft = {
        id,
        resource: watch.resource,
        path,
        ...(namespace === undefined ? undefined : { namespace }),
        ...(labelSelector === "" ? undefined : { labelSelector }),
        ...(fieldSelector === "" ? undefined : { fieldSelector }),
        fields: [],
        values: [],
        managers: [],
        relations: [],
      };
      drafts.set(id, draft);
      return draft;
    },
    all: () => [...drafts.values()],
  };
}
