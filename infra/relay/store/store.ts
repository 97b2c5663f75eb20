import type { KubeObject } from "../../../functions/kube/resource.ts";
import { relatedId } from "../map/map.ts";
import { idOf, type References } from "../map/references.ts";
import type { PlannedRelation, WatchPlan } from "../plan/plan.ts";
import { sameRelations } from "../plan/plan-diff.ts";
import type { WatchEventType } from "../watch/watch.ts";
import { type Hit, hitsBetween, hitsOfRecord, type Observed, observe, observeListed, type Scope } from "./observe.ts";
import { carriedOver, type ObjectRecord } from "./record.ts";

/** What a watch has seen: one record an object (R3). A list is compared with it in place, page by page. */
export interface Store {
  observe(type: WatchEventType, object: KubeObject): void;
  /** One page of the list with this number. */
  take(items: readonly KubeObject[], list: number, all: boolean): void;
  /** The list with this number is complete, as of this version: what it did not hold has vanished. */
  sweep(list: number, version?: string): void;
  /** All keys that the objects lead to: of these controllers, where some are named. */
  all(why: string, controllers?: ReadonlySet<string>): void;
  readonly plan: WatchPlan;
  /** Goes on by another plan of the same watch: with new relations that is about to list anew (R6). */
  adopt(plan: WatchPlan): void;
  /** Says nothing of what is new to a relation, until it is released: somebody else is going to tell all of it. */
  hold(): void;
  release(): void;
  /** Its objects name others no longer: the watch has ended. */
  leave(): void;
  /**
   * Tells what differs from what another relay had seen, by its own plan: the keys of its records and of ours (R7).
   */
  compare(saved: Saved): void;
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

/**
 * @param emit what to reconcile, and why.
 * @param restored what was seen of this plan before (R7).
 */
export function createStore(
  initial: WatchPlan,
  references: References,
  emit: (hits: readonly Hit[], happened: Happened) => void,
  restored?: Saved,
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
    { record, hits }: Observed,
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
    const cause = `${kind} ${id.startsWith("/") ? id.slice(1) : id} ${what}`;
    if (hits.length > 0) emit(hits, { lane, cause, uid: record?.uid, bulk, watch: plan.id, version });
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
      advance(id, before, observe(scopeOf(id), before, { type, object }), "live", type, { version });
    },
    take(items, list, all) {
      rewound ||= all;
      for (const object of items) {
        const id = idOf(object.metadata.namespace, object.metadata.name);
        const before = records.get(id);
        const isNew = (relation: PlannedRelation): boolean => unseen.has(relation);
        const { record, hits } = observeListed(scopeOf(id), before, { object, list, all, isNew });
        const told = held ? hits.filter(({ relation }) => !isNew(relation)) : hits;
        advance(id, before, { record, hits: told }, "resync", "listed", {
          version: rewound ? "" : object.metadata.resourceVersion,
        });
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
    all(why, controllers) {
      for (const [id, record] of records) {
        const hits = hitsOfRecord(scopeOf(id), record);
        const wanted = controllers ? hits.filter(({ key }) => controllers.has(key.controller)) : hits;
        advance(id, record, { record, hits: wanted }, "resync", why, { bulk: true });
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
    compare({ plan: from, records: saved }) {
      const carry = carriedOver(from, plan);
      const found = new Set<string>();
      const differs = (id: string, before: ObjectRecord | undefined, now: ObjectRecord | undefined): void => {
        const hits = hitsBetween(scopeOf(id), before, now);
        advance(id, now, { record: now, hits }, "resync", "changed under another relay");
      };
      for (const [id, record] of saved) {
        found.add(id);
        const now = records.get(id);
        if (now?.uid !== record.uid || now.version !== record.version) differs(id, carry(record), now);
      }
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
