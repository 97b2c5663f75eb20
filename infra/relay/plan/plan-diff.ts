import { type Declared, type Manifest, revisionOf } from "../../../functions/contract/index.ts";
import type { PlannedRelation, WatchPlan } from "./plan.ts";

/**
 * What a new manifest changes in what is watched and for whom (R6, R12). Pure.
 * @module
 */

export type PlanDiff = {
  /** Watches that nobody asks for any more. */
  dropped: readonly WatchPlan[];
  added: readonly WatchPlan[];
  /** Watches with a relation that they did not serve before: they list anew. */
  widened: readonly WatchPlan[];
  /** Watches without one, that serve fewer relations or the same in another order: like unchanged ones they go on. */
  narrowed: readonly WatchPlan[];
};

export function diffPlans(before: readonly WatchPlan[], after: readonly WatchPlan[]): PlanDiff {
  const old = new Map(before.map((plan) => [plan.id, plan]));
  const ids = new Set(after.map(({ id }) => id));
  const changed = after.filter((plan) => old.has(plan.id) && JSON.stringify(old.get(plan.id)) !== JSON.stringify(plan));
  const isWidened = (plan: WatchPlan): boolean => newRelations(old.get(plan.id), plan).length > 0;
  return {
    dropped: before.filter(({ id }) => !ids.has(id)),
    added: after.filter(({ id }) => !old.has(id)),
    widened: changed.filter(isWidened),
    narrowed: changed.filter((plan) => !isWidened(plan)),
  };
}

/**
 * For each relation of a plan, which of an older plan of the same watch it is: the same objects led to the same keys by it.
 * Undefined for a new relation, and for one that changed.
 */
export function sameRelations(before: WatchPlan, after: WatchPlan): (number | undefined)[] {
  const old = before.relations.map((relation) => identity(before, relation));
  return after.relations.map((relation) => {
    const found = old.indexOf(identity(after, relation));
    return found < 0 ? undefined : found;
  });
}

/** Relations of a plan that have seen no object yet, since an older plan of the same watch had none like them. */
export function newRelations(before: WatchPlan | undefined, after: WatchPlan): PlannedRelation[] {
  if (!before) return [...after.relations];
  const same = sameRelations(before, after);
  return after.relations.filter((_, i) => same[i] === undefined);
}

/**
 * Controllers whose keys are to be reconciled anew: a new one, one of another revision, and one that sees by a relation what
 * it did not see before.
 */
export function renewedControllers(
  before: Declared | undefined,
  after: Manifest,
  unseen: readonly PlannedRelation[],
): Set<string> {
  const names = after.controllers.map(({ name }) => name);
  const renewed = names.filter((name) => !before || revisionOf(before, name) !== revisionOf(after, name));
  return new Set([...renewed, ...unseen.map(({ controller }) => controller)]);
}

/** A relation as a text, with what it refers to by position in its plan. */
function identity(plan: WatchPlan, { manager, references, compiled: _, ...rest }: PlannedRelation): string {
  return JSON.stringify([
    rest,
    manager === undefined ? null : plan.managers[manager],
    references.map(({ field, ...reference }) => ({ ...reference, field: plan.fields[field] })),
  ]);
}
