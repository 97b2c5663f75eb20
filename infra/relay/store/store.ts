import type { KubeObject } from "../../../functions/kube/resource.ts";
import { keyIn, relatedId } from "../map/map.ts";
import { routeOf, type Unmapped } from "../map/mapper.ts";
import { idOf, type References } from "../map/references.ts";
import type { PlannedRelation, WatchPlan } from "../plan/plan.ts";
import { sameRelations } from "../plan/plan-diff.ts";
import type { WatchEventType } from "../watch/watch.ts";
import { type Hit, hitsOfRecord, type Observed, observe, observeListed, type Scope } from "./observe.ts";
import { carriedOver, mappedRecord, type ObjectRecord } from "./record.ts";

/** What a watch has seen: one record an object (R3). A list is compared with it in place, page by page. */
export interface Store {
  observe(type: WatchEventType, object: KubeObject): void;
  /** One page of the list with this number. */
  take(items: readonly KubeObject[], list: number, all: boolean): void;
  /** The list with this number is complete: what it did not hold has vanished. */
  sweep(list: number): void;
  /** All keys that the objects lead to, or those that are wanted. */
  all(why: string, wanted?: (hit: Hit) => boolean): void;
  has(id: string): boolean;
  readonly plan: WatchPlan;
  /** Goes on by another plan of the same watch: with new relations that is about to list anew (R6). */
  adopt(plan: WatchPlan): void;
  /** Says nothing of what is new to a relation, until it is released: somebody else is going to tell all of it. */
  hold(): void;
  release(): void;
  /** Its objects name others no longer: the watch has ended. */
  leave(): void;
  readonly size: number;
  /** Each object's uid and version by its id, for tests and, later, the checkpoint. */
  entries(): Iterable<[id: string, record: Readonly<ObjectRecord>]>;
}

/** What happened to an object, for a trigger. */
export type Happened = {
  lane: "live" | "resync";
  /** For logs: `Document default/a MODIFIED`. */
  cause: string;
  /** The object's. */
  uid?: string | undefined;
  /** Nothing happened to it: all is looked at again. */
  bulk: boolean;
};

export type StoreHooks = {
  /** Asks code for the keys of an object. */
  map?(item: Unmapped): void;
  /** An object is there from now on, or is no longer. */
  changed?(id: string): void;
};

/** @param emit what to reconcile, and why. */
export function createStore(
  initial: WatchPlan,
  references: References,
  emit: (hits: readonly Hit[], happened: Happened) => void,
  { map, changed }: StoreHooks = {},
): Store {
  const records = new Map<string, ObjectRecord>();
  const { kind } = initial.resource;
  let plan = initial;
  /** Relations that no complete list has served yet. */
  let unseen = new Set(plan.relations);
  let held = false;

  function scopeOf(id: string): Scope {
    return { plan, references, id };
  }

  function advance(
    id: string,
    before: ObjectRecord | undefined,
    { record, hits }: Pick<Observed, "record" | "hits">,
    lane: "live" | "resync",
    what: string,
    bulk = false,
  ): void {
    if (record !== before) {
      if (record) records.set(id, record);
      else records.delete(id);
      name(id, before, record);
    }
    if (hits.length > 0) emit(hits, { lane, cause: causeOf(id, what), uid: record?.uid, bulk });
    if (!record !== !before) changed?.(id);
  }

  function causeOf(id: string, what: string): string {
    return `${kind} ${id.startsWith("/") ? id.slice(1) : id} ${what}`;
  }

  /** Has code tell the keys of an object. Those that it told before were woken already, as the change was seen (R4). */
  function ask(
    { id, object, before }: { id: string; object: KubeObject; before: ObjectRecord | undefined },
    { asks, record }: Observed,
    lane: Happened["lane"],
    what: string,
  ): void {
    const uid = object.metadata.uid;
    const known = (record ?? before)?.names;
    for (const i of asks) {
      const relation = plan.relations[i]!;
      map?.({
        relation,
        id,
        object: { ...object, apiVersion: apiVersionOf(plan.resource), kind },
        deleted: record === undefined,
        answered(ids, newest) {
          // A plan may have taken this one's place meanwhile.
          const at = plan.relations.findIndex((other) => routeOf(other) === routeOf(relation));
          if (at < 0) return;
          const current = records.get(id);
          const same = current?.uid === uid && record !== undefined;
          const told = (same ? current.names[at] : known?.[i]) ?? [];
          if (same) records.set(id, mappedRecord(current, at, ids, { newest, relations: plan.relations.length }));
          const fresh = ids.filter((each) => !told.includes(each));
          const hits = fresh.map((each) => ({ key: keyIn(relation.controller, each), relation: plan.relations[at]! }));
          if (hits.length > 0) emit(hits, { lane, cause: causeOf(id, what), bulk: false });
        },
      });
    }
  }

  /** Keeps the reverse index in step with what the primaries name. */
  function name(id: string, before: ObjectRecord | undefined, now: ObjectRecord | undefined): void {
    for (const relation of plan.relations)
      for (const reference of relation.references)
        references.move(
          reference.index,
          id,
          relatedId(reference, id, before?.fields[reference.field] ?? ""),
          relatedId(reference, id, now?.fields[reference.field] ?? ""),
        );
  }

  return {
    observe(type, object) {
      const id = idOf(object.metadata.namespace, object.metadata.name);
      const before = records.get(id);
      const observed = observe(scopeOf(id), before, { type, object });
      advance(id, before, observed, "live", type);
      ask({ id, object, before }, observed, "live", type);
    },
    take(items, list, all) {
      for (const object of items) {
        const id = idOf(object.metadata.namespace, object.metadata.name);
        const before = records.get(id);
        const isNew = (relation: PlannedRelation): boolean => unseen.has(relation);
        const observed = observeListed(scopeOf(id), before, { object, list, all, isNew });
        const { record, hits } = observed;
        const told = held ? hits.filter(({ relation }) => !isNew(relation)) : hits;
        advance(id, before, { record, hits: told }, "resync", "listed");
        ask({ id, object, before }, observed, "resync", "listed");
      }
    },
    sweep(list) {
      for (const [id, record] of records)
        if (record.list !== list)
          advance(id, record, { record: undefined, hits: hitsOfRecord(scopeOf(id), record) }, "resync", "vanished");
      unseen = new Set();
    },
    all(why, wanted = () => true) {
      for (const [id, record] of records) {
        const hits = hitsOfRecord(scopeOf(id), record).filter(wanted);
        advance(id, record, { record, hits }, "resync", why, true);
      }
    },
    has: (id) => records.has(id),
    adopt(next) {
      for (const [id, record] of records) name(id, record, undefined);
      const carry = carriedOver(plan, next);
      const same = sameRelations(plan, next);
      const wasSeen = (before: number | undefined) => before !== undefined && !unseen.has(plan.relations[before]!);
      unseen = new Set(next.relations.filter((_, i) => !wasSeen(same[i])));
      plan = next;
      for (const [id, record] of records) {
        const carried = carry(record);
        records.set(id, carried);
        name(id, undefined, carried);
      }
    },
    hold() {
      held = true;
    },
    release() {
      held = false;
    },
    leave() {
      for (const [id, record] of records) name(id, record, undefined);
    },
    get plan() {
      return plan;
    },
    get size() {
      return records.size;
    },
    entries: () => records,
  };
}

function apiVersionOf({ group, version }: WatchPlan["resource"]): string {
  return group === "" ? version : `${group}/${version}`;
}
