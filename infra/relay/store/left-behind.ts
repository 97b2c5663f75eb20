import { createReferences } from "../map/references.ts";
import type { PlannedRelation, WatchPlan } from "../plan/plan.ts";
import { newRelations } from "../plan/plan-diff.ts";
import type { Hit } from "./observe.ts";
import { createStore, type Happened, type Saved, type Store } from "./store.ts";

/** Something whose keys can still be told, though it watches for them no longer. */
export type LeftBehind = Pick<Store, "all">;

/**
 * What a watch that goes on held for relations that its next plan serves no longer: what a selector excludes from now on is
 * released (F1). Nothing where that serves all of them.
 */
export function leftBehind(
  before: Omit<Saved, "fresh">,
  next: WatchPlan,
  emit: (hits: readonly Hit[], happened: Happened) => void,
): LeftBehind[] {
  const lost = new Set(newRelations(next, before.plan).filter((relation) => !isReplaced(relation, next)));
  if (lost.size === 0) return [];
  const store = createStore(before.plan, createReferences(), emit, { ...before, fresh: false });
  return [
    { all: (why, wanted = () => true, as) => store.all(why, (hit) => lost.has(hit.relation) && wanted(hit), as) },
  ];
}

/** Another one of its controller leads to the same objects' keys: who is deployed anew has all of these told. */
function isReplaced({ controller, mapping, within }: PlannedRelation, next: WatchPlan): boolean {
  return next.relations.some(
    (other) => other.controller === controller && other.mapping.by === mapping.by && other.within === within,
  );
}
