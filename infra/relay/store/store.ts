import type { KubeObject } from "../../../functions/kube/resource.ts";
import { keyIn, relatedId } from "../map/map.ts";
import { routeOf, type Unmapped } from "../map/mapper.ts";
import { idOf, type References } from "../map/references.ts";
import type { PlannedRelation, WatchPlan } from "../plan/plan.ts";
import { sameRelations } from "../plan/plan-diff.ts";
import type { WatchEventType } from "../watch/watch.ts";
import { type Hit, hitsBetween, hitsOfRecord, type Observed, observe, observeListed, type Scope } from "./observe.ts";
import { carriedOver, mappedRecord, type ObjectRecord } from "./record.ts";

/** What a watch has seen: one record an object (R3). A list is compared with it in place, page by page. */
export interface Store {
  observe(type: WatchEventType, object: KubeObject): void;
  /** One page of the list with this number. */
  take(items: readonly KubeObject[], list: number, all: boolean): void;
  /** The list with this number is complete, as of this version: what it did not hold has vanished. */
  sweep(list: number, version?: string): void;
  /** All keys that the objects lead to, or those that are wanted. */
  all(why: string, wanted?: (hit: Hit) => boolean, as?: { bulk: boolean }): void;
  readonly plan: WatchPlan;
  /** Goes on by another plan of the same watch: with new relations that is about to list anew (R6). */
  adopt(plan: WatchPlan): void;
  /** Says nothing of what is new to a relation, until it is released: somebody else is going to tell all of it. */
  hold(): void;
  release(): void;
  /** Its objects name others no longer: the watch has ended. */
  leave(): void;
  /**
   * Tells what differs from what another relay had seen, by its own plan: the keys of its records and of ours (R7). What code
   * had not told it yet differs.
   * @param seen all that came since then was told already, so that nothing else is.
   */
  compare(saved: Saved, seen?: boolean): void;
  readonly size: number;
  has(id: string): boolean;
  /** Whether the API server ever went back in time: versions of before and after mean different things (R14). */
  readonly rewound: boolean;
  /** How often a record has changed. */
  readonly changes: number;
  /** Whether a relation has seen no complete list yet. */
  readonly fresh: boolean;
  entries(): Iterable<[id: string, record: Readonly<ObjectRecord>]>;
}

/** What a watch had seen by a plan. `fresh`: some of it says nothing yet, so that all is told with the next list. */
export type Saved = {
  plan: WatchPlan;
  records: Iterable<readonly [id: string, record: Readonly<ObjectRecord>]>;
  fresh: boolean;
};

/** What happened to an object, for a trigger. */
export type Happened = {
  lane: "live" | "resync";
  /** For logs: `Document default/a MODIFIED`. */
  cause: string;
  /** The object's. */
  uid?: string | undefined;
  /** Nothing happened to it: all is looked at again. */
  bulk: boolean;
  /** The id of the watch that saw it. */
  watch: string;
  /** Up to which version that watch has seen what happened; empty where that cannot be said. */
  version: string;
};

export type StoreHooks = {
  /** Asks code for the keys of an object. */
  map?(item: Unmapped): void;
  /** An object is there from now on, or is no longer. */
  changed?(id: string): void;
};

/**
 * @param emit what to reconcile, and why.
 * @param restored what was seen of this plan before (R7).
 */
export function createStore(
  initial: WatchPlan,
  references: References,
  emit: (hits: readonly Hit[], happened: Happened) => void,
  restored?: Saved,
  { map, changed }: StoreHooks = {},
): Store {
  const records = new Map<string, ObjectRecord>();
  const { kind } = initial.resource;
  let plan = initial;
  /** Relations that no complete list has served yet. */
  let unseen = new Set(!restored || restored.fresh ? plan.relations : []);
  let held = false;
  let changes = 0;
  let rewound = false;
  for (const [id, record] of restored?.records ?? []) {
    records.set(id, restored?.fresh ? { ...record, stale: true } : record);
    name(id, undefined, record);
  }

  function scopeOf(id: string): Scope {
    return { plan, references, id };
  }

  function advance(
    id: string,
    before: ObjectRecord | undefined,
    { record, hits }: Pick<Observed, "record" | "hits">,
    lane: "live" | "resync",
    what: string,
    { version = "", bulk = false } = {},
  ): void {
    if (record !== before) {
      changes++;
      if (record) records.set(id, record);
      else records.delete(id);
      name(id, before, record);
    }
    if (hits.length > 0)
      emit(hits, { lane, cause: causeOf(id, what), uid: record?.uid, bulk, watch: plan.id, version });
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
          if (same) {
            changes++;
            records.set(id, mappedRecord(current, at, ids, { newest, relations: plan.relations.length }));
          }
          const fresh = ids.filter((each) => !told.includes(each));
          const hits = fresh.map((each) => ({ key: keyIn(relation.controller, each), relation: plan.relations[at]! }));
          const version = rewound ? "" : object.metadata.resourceVersion;
          if (hits.length > 0) emit(hits, { lane, cause: causeOf(id, what), bulk: false, watch: plan.id, version });
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
      const version = rewound ? "" : object.metadata.resourceVersion;
      const observed = observe(scopeOf(id), before, { type, object });
      advance(id, before, observed, "live", type, { version });
      ask({ id, object, before }, observed, "live", type);
    },
    take(items, list, all) {
      rewound ||= all;
      for (const object of items) {
        const id = idOf(object.metadata.namespace, object.metadata.name);
        const before = records.get(id);
        const isNew = (relation: PlannedRelation): boolean => unseen.has(relation);
        const observed = observeListed(scopeOf(id), before, { object, list, all, isNew });
        const { record, hits } = observed;
        const told = held ? hits.filter(({ relation }) => !isNew(relation)) : hits;
        advance(id, before, { record, hits: told }, "resync", "listed", {
          version: rewound ? "" : object.metadata.resourceVersion,
        });
        ask({ id, object, before }, observed, "resync", "listed");
      }
    },
    sweep(list, version = "") {
      for (const [id, record] of records)
        if (record.list !== list)
          advance(id, record, { record: undefined, hits: hitsOfRecord(scopeOf(id), record) }, "resync", "vanished", {
            version: rewound ? "" : version,
          });
      unseen = new Set();
    },
    all(why, wanted = () => true, as = { bulk: true }) {
      for (const [id, record] of records) {
        const hits = hitsOfRecord(scopeOf(id), record).filter(wanted);
        advance(id, record, { record, hits }, "resync", why, as);
      }
    },
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
    compare({ plan: from, records: saved }, seen = false) {
      const carry = carriedOver(from, plan);
      const found = new Set<string>();
      const differs = (id: string, before: ObjectRecord | undefined, now: ObjectRecord | undefined): void => {
        const hits = hitsBetween(scopeOf(id), before, now);
        advance(id, now, { record: now, hits }, "resync", "changed under another relay");
      };
      for (const [id, record] of saved) {
        found.add(id);
        const now = records.get(id);
        const another = now?.uid !== record.uid || now.version !== record.version;
        if ((another && !seen) || record.unmapped) differs(id, carry(record), now);
      }
      if (seen) return;
      for (const [id, now] of records) if (!found.has(id)) differs(id, undefined, now);
    },
    get plan() {
      return plan;
    },
    has: (id) => records.has(id),
    get size() {
      return records.size;
    },
    get rewound() {
      return rewound;
    },
    get changes() {
      return changes;
    },
    get fresh() {
      return unseen.size > 0;
    },
    entries: () => records,
  };
}

function apiVersionOf({ group, version }: WatchPlan["resource"]): string {
  return group === "" ? version : `${group}/${version}`;
}
