import { keyOf, type Trigger } from "../../../functions/contract/index.ts";

/**
 * What is still to be delivered: one pending trigger a key, live before resync (R5). Its size is bounded by keys, however
 * many events there are. Oldest first within a lane; a key that turns live goes to that lane's end.
 */
export interface Outbox {
  readonly size: number;
  add(trigger: Trigger): void;
  /** Takes up to `limit` out, to be delivered. */
  take(limit: number): Trigger[];
  /** Puts triggers back that could not be delivered: what came for their keys meanwhile is newer and stands. */
  putBack(batch: readonly Trigger[]): void;
  /** All of them; they stay. */
  all(): Trigger[];
}

export function createOutbox(): Outbox {
  const live = new Map<string, Trigger>();
  const resync = new Map<string, Trigger>();

  function add(trigger: Trigger): void {
    const key = outboxKey(trigger);
    const older = live.get(key) ?? resync.get(key);
    const merged = asking(trigger, trigger.revision ?? older?.revision);
    if (trigger.lane === "live") {
      resync.delete(key);
      live.set(key, merged);
    } else if (older?.lane === "live") live.set(key, asking(older, merged.revision));
    else resync.set(key, merged);
  }

  function putBack(trigger: Trigger): void {
    const key = outboxKey(trigger);
    const newer = live.get(key) ?? resync.get(key);
    const revision = newer?.revision ?? trigger.revision;
    if (!newer || (trigger.lane === "live" && newer.lane === "resync")) add(asking(trigger, revision));
    else add(asking(newer, revision));
  }

  return {
    get size() {
      return live.size + resync.size;
    },
    add,
    take(limit) {
      const batch: Trigger[] = [];
      for (const lane of [live, resync])
        for (const [key, trigger] of lane) {
          if (batch.length === limit) return batch;
          batch.push(trigger);
          lane.delete(key);
        }
      return batch;
    },
    putBack: (batch) => batch.forEach(putBack),
    all: () => [...live.values(), ...resync.values()],
  };
}

/** F7: whatever else is said of a key, the revision that was asked for last stays asked for. */
function asking(trigger: Trigger, revision: string | undefined): Trigger {
  return revision === trigger.revision ? trigger : { ...trigger, revision };
}

/** The relay has one cluster, so that its name adds nothing. */
function outboxKey({ controller, namespace, name }: Trigger): string {
  return keyOf({ cluster: "", controller, name, ...(namespace === undefined ? undefined : { namespace }) });
}
