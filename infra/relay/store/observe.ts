import type { KubeObject } from "../../../functions/kube/resource.ts";
import { type Key, keysOf } from "../map/map.ts";
import type { References } from "../map/references.ts";
import type { PlannedRelation, WatchPlan } from "../plan/plan.ts";
import { isOwnWrite } from "../predicate/own-writes.ts";
import { passes } from "../predicate/predicate.ts";
import { isOlder } from "../watch/version.ts";
import type { WatchEventType } from "../watch/watch.ts";
import { type ObjectRecord, recordOf } from "./record.ts";

/** A key to be reconciled, and by which relation. */
export type Hit = { key: Key; relation: PlannedRelation };

/** The record as it is from now on, undefined for no object; and what to reconcile for it. */
export type Observed = { record: ObjectRecord | undefined; hits: Hit[] };

/** What an object of a watch leads to: its plan, its id and the index of references. */
export type Scope = { plan: WatchPlan; references: References; id: string };

/** A watch event (R4, R6, R13). It comes with every version between `before` and its own seen, none was missed. */
export function observe(
  scope: Scope,
  before: ObjectRecord | undefined,
  event: { type: WatchEventType; object: KubeObject },
): Observed {
  const now = recordOf(scope.plan, event.object, before?.list ?? 0);
  // Told late: the versions of a kind are one sequence, so it was so before what is known.
  if (before && isOlder(now.version, before.version)) return { record: before, hits: [] };
  if (event.type === "DELETED") return { record: undefined, hits: hitsOf(scope, before, now) };
  if (before?.uid === now.uid && before.version === now.version) return { record: before, hits: [] };
  return { record: now, hits: hitsOf(scope, before, now, (i) => matters(scope.plan, i, before, now, event.type)) };
}

/**
 * An object of a list. What happened since `before` is unknown, so predicates and own writes decide nothing.
 * @param all trigger even if it is the version seen before, which may be another one by the same number (R14).
 * @param isNew relations that have seen no object yet: what was there before is new to them.
 */
export function observeListed(
  scope: Scope,
  before: ObjectRecord | undefined,
  listed: { object: KubeObject; list: number; all: boolean; isNew: (relation: PlannedRelation) => boolean },
): Observed {
  const meta = listed.object.metadata;
  const same = !listed.all && before?.uid === meta.uid && before.version === meta.resourceVersion;
  if (same && !before.stale) {
    before.list = listed.list;
    return { record: before, hits: [] };
  }
  const now = recordOf(scope.plan, listed.object, listed.list);
  return { record: now, hits: hitsOf(scope, before, now, (i) => !same || listed.isNew(scope.plan.relations[i]!)) };
}

/** All that a record leads to: for an object that vanished, or to look at everything again. */
export function hitsOfRecord(scope: Scope, record: ObjectRecord): Hit[] {
  return hitsOf(scope, record, undefined);
}

/** All that two states of an object lead to, with whatever happened between them unknown. */
export function hitsBetween(scope: Scope, before: ObjectRecord | undefined, now: ObjectRecord | undefined): Hit[] {
  return hitsOf(scope, before, now);
}

/** Whether a change concerns a relation. */
function matters(
  plan: WatchPlan,
  i: number,
  before: ObjectRecord | undefined,
  now: ObjectRecord,
  type: WatchEventType,
): boolean {
  const relation = plan.relations[i]!;
  const own = relation.manager === undefined ? undefined : now.writers[relation.manager];
  if (!before) return type !== "ADDED" || !own || !isOwnWrite(undefined, own);
  // Another uid under the same name: one object was deleted, another one created.
  if (before.uid !== now.uid) return true;
  if (!sameTexts(before.names[i] ?? [], now.names[i] ?? [])) return true;
  if (relation.references.some(({ field }) => before.fields[field] !== now.fields[field])) return true;
  if (!passes(relation.predicate, before, now)) return false;
  return !own || !isOwnWrite(before.writers[relation.manager!], own);
}

/** The keys of the old state and of the new one (R4). */
function hitsOf(
  { plan, references, id }: Scope,
  before: ObjectRecord | undefined,
  now: ObjectRecord | undefined,
  wanted: (relation: number) => boolean = () => true,
): Hit[] {
  const hits: Hit[] = [];
  for (const [i, relation] of plan.relations.entries()) {
    if (!wanted(i)) continue;
    const old = before?.names[i] ?? [];
    const names = [...old, ...(now?.names[i] ?? []).filter((name) => !old.includes(name))];
    for (const key of keysOf(relation, id, names, references)) hits.push({ key, relation });
  }
  return hits;
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i]);
}
