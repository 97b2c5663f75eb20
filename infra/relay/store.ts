import type { KubeObject } from "../../functions/kube/resource.ts";
import { relatedId } from "./map.ts";
import { type Hit, hitsOfRecord, type Observed, observe, observeListed, type Scope } from "./observe.ts";
import type { WatchPlan } from "./plan.ts";
import type { ObjectRecord } from "./record.ts";
import { idOf, type References } from "./references.ts";
import type { WatchEventType } from "./watch.ts";

/** What a watch has seen: one record an object (R3). A list is compared with it in place, page by page. */
export interface Store {
  observe(type: WatchEventType, object: KubeObject): void;
  /** One page of the list with this number. */
  take(items: readonly KubeObject[], list: number, all: boolean): void;
  /** The list with this number is complete: what it did not hold has vanished. */
  sweep(list: number): void;
  /** Looks at every object again. */
  all(why: string): void;
  readonly size: number;
  /** Each object's uid and version by its id, for tests and, later, the checkpoint. */
  entries(): Iterable<[id: string, record: Readonly<ObjectRecord>]>;
}

/** @param emit what to reconcile, in which lane, and what happened as a text for logs. */
export function createStore(
  plan: WatchPlan,
  references: References,
  emit: (hits: readonly Hit[], lane: "live" | "resync", cause: string, uid: string | undefined) => void,
): Store {
  const records = new Map<string, ObjectRecord>();
  const { kind } = plan.resource;

  function scopeOf(id: string): Scope {
    return { plan, references, id };
  }

  function advance(
    id: string,
    before: ObjectRecord | undefined,
    { record, hits }: Observed,
    lane: "live" | "resync",
    what: string,
  ): void {
    if (record !== before) {
      if (record) records.set(id, record);
      else records.delete(id);
      name(id, before, record);
    }
    if (hits.length > 0) emit(hits, lane, `${kind} ${id.startsWith("/") ? id.slice(1) : id} ${what}`, record?.uid);
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
      advance(id, before, observe(scopeOf(id), before, { type, object }), "live", type);
    },
    take(items, list, all) {
      for (const object of items) {
        const id = idOf(object.metadata.namespace, object.metadata.name);
        const before = records.get(id);
        advance(id, before, observeListed(scopeOf(id), before, { object, list, all }), "resync", "listed");
      }
    },
    sweep(list) {
      for (const [id, record] of records)
        if (record.list !== list)
          advance(id, record, { record: undefined, hits: hitsOfRecord(scopeOf(id), record) }, "resync", "vanished");
    },
    all(why) {
      for (const [id, record] of records)
        advance(id, record, { record, hits: hitsOfRecord(scopeOf(id), record) }, "resync", why);
    },
    get size() {
      return records.size;
    },
    entries: () => records,
  };
}
