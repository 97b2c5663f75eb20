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

/**
 * The record as it is from now on, undefined for no object; what to reconcile for it; and the positions of the relations whose
 * code is to be asked for more keys.
 */
export type Observed = { record: ObjectRecord | undefined; hits: Hit[]; asks: readonly number[] };

/** What an object of a watch leads to: its plan, its id and the index of references. */
export type Scope = { plan: WatchPlan; references: References; id: string };

const NONE: readonly number[] = [];

/** A watch event (R4, R6, R13). It comes with every version between `before` and its own seen, none was missed. */
export function observe(
  scope: Scope,
  before: ObjectRecord | undefined,
  event: { type: WatchEventType; object: KubeObject },
): Observed {
  const { plan } = scope;
  const now = recordOf(plan, event.object, before?.list ?? 0, before);
  // Told late: the versions of a kind are one sequence, so it was so before what is known.
  if (before && isOlder(now.version, before.version)) return { record: before, hits: [], asks: NONE };
  if (event.type === "DELETED") {
    const wanted = (i: number): boolean => isDeleted(plan.relations[i]!, now);
    return { record: undefined, hits: hitsOf(scope, before, now, wanted), asks: asksOf(plan, wanted) };
  }
  if (before?.uid === now.uid && before.version === now.version) return { record: before, hits: [], asks: NONE };
  return advanced(scope, before, now, (i) => matters(plan, i, before, now, event.type));
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
  if (same && !before.stale && !before.unmapped) {
    before.list = listed.list;
    return { record: before, hits: [], asks: NONE };
  }
  const now = recordOf(scope.plan, listed.object, listed.list, before);
  const unmapped = (i: number): boolean => before?.unmapped?.includes(i) ?? false;
  return advanced(
    scope,
    before,
    now,
    (i) => !same || listed.isNew(scope.plan.relations[i]!),
    (i) => unmapped(i),
  );
}

/** All that a record leads to: for an object that vanished, or to look at everything again. */
export function hitsOfRecord(scope: Scope, record: ObjectRecord): Hit[] {
  return hitsOf(scope, record, undefined);
}

/** The record with what its relations by code are to be asked, for those that a change concerns. */
function advanced(
  scope: Scope,
  before: ObjectRecord | undefined,
  now: ObjectRecord,
  wanted: (relation: number) => boolean,
  unmapped: (relation: number) => boolean = () => false,
): Observed {
  const hits = hitsOf(scope, before, now, wanted);
  const asks = asksOf(scope.plan, (i) => wanted(i) || unmapped(i));
  const waiting = asksOf(scope.plan, (i) => asks.includes(i) || (before?.unmapped?.includes(i) ?? false));
  return { record: waiting.length === 0 ? now : { ...now, unmapped: waiting }, hits, asks };
}

function asksOf({ relations }: WatchPlan, wanted: (relation: number) => boolean): readonly number[] {
  if (!relations.some(({ mapping }) => mapping.by === "code")) return NONE;
  return relations.flatMap(({ mapping }, i) => (mapping.by === "code" && wanted(i) ? i : []));
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
  const { predicate, compiled } = relation;
  const own = relation.manager === undefined ? undefined : now.writers[relation.manager];
  if (!before)
    return passes(predicate, compiled, { after: now }) && (type !== "ADDED" || !own || !isOwnWrite(undefined, own));
  // Another uid under the same name: one object was deleted, another one created.
  if (before.uid !== now.uid) return isDeleted(relation, before) || passes(predicate, compiled, { after: now });
  if (!sameTexts(before.names[i] ?? [], now.names[i] ?? [])) return true;
  if (relation.references.some(({ field }) => before.fields[field] !== now.fields[field])) return true;
  if (!passes(predicate, compiled, { before, after: now })) return false;
  return !own || !isOwnWrite(before.writers[relation.manager!], own);
}

/** A primary that is gone is always told: nothing else would clear what is kept of its key, or release it (F1, S13). */
function isDeleted({ mapping, predicate, compiled }: PlannedRelation, before: ObjectRecord): boolean {
  return mapping.by === "self" || passes(predicate, compiled, { before });
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
