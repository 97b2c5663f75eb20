import { keyOf, type Trigger } from "../../../functions/contract/index.ts";

/**
 * What is still to be delivered: one pending trigger a key, live before resync (R5). Its size is bounded by keys, however
 * many events there are. Oldest first within a lane; a key that turns live goes to that lane's end.
 */
export interface Outbox {
  readonly size: number;
  /** Since when the oldest has waited, by the monotonic clock; undefined where nothing waits. */
  oldestSince(): number | undefined;
  add(trigger: Trigger): void;
  /** Takes up to `limit` out, to be delivered. */
  take(limit: number): Trigger[];
  /** Puts triggers back that could not be delivered: what came for their keys meanwhile is newer and stands. */
  putBack(batch: readonly Trigger[]): void;
  /** Somebody else has delivered it. @param key of {@link outboxKey}. */
  drop(key: string): void;
  /** All of them; they stay. */
  all(): Trigger[];
}

/** Since when the key of a trigger has waited. Apart from the trigger, which goes out as it is. */
const waitingSince = new WeakMap<Trigger, number>();

/** The earliest of those instants. */
export function oldestOf(triggers: Iterable<Trigger>): number | undefined {
  let oldest: number | undefined;
  for (const trigger of triggers) {
    const since = waitingSince.get(trigger);
    if (since !== undefined && (oldest === undefined || since < oldest)) oldest = since;
  }
  return oldest;
}

/** @param monotonic the clock that tells how long something has waited. */
export function createOutbox(monotonic: () => number = () => 0): Outbox {
  const live = new Map<string, Trigger>();
  const resync = new Map<string, Trigger>();
  const lanes = [live, resync];

  function add(trigger: Trigger): void {
    const key = outboxKey(trigger);
    const older = live.get(key) ?? resync.get(key);
    const revision = trigger.revision ?? older?.revision;
    const merged = asking(trigger.lane === "resync" && older?.lane === "live" ? older : trigger, revision);
    waitingSince.set(merged, oldestOf(older ? [trigger, older] : [trigger]) ?? monotonic());
    if (trigger.lane === "live") resync.delete(key);
    (merged.lane === "live" ? live : resync).set(key, merged);
  }

  function putBack(trigger: Trigger): void {
    const key = outboxKey(trigger);
    const newer = live.get(key) ?? resync.get(key);
    const revision = newer?.revision ?? trigger.revision;
    const kept = !newer || (trigger.lane === "live" && newer.lane === "resync") ? trigger : newer;
    const merged = asking(kept, revision);
    waitingSince.set(merged, oldestOf([trigger, kept]) ?? monotonic());
    add(merged);
  }

  return {
    get size() {
      return live.size + resync.size;
    },
    oldestSince: () => oldestOf(lanes.flatMap((lane) => [...lane.values()])),
    add,
    take(limit) {
      const batch: Trigger[] = [];
      for (const lane of lanes)
        for (const [key, trigger] of lane) {
          if (batch.length === limit) return batch;
          batch.push(trigger);
          lane.delete(key);
        }
      return batch;
    },
    putBack: (batch) => batch.forEach(putBack),
    drop(key) {
      live.delete(key);
      resync.delete(key);
    },
    all: () => [...live.values(), ...resync.values()],
  };
}

/** F7: whatever else is said of a key, the revision that was asked for last stays asked for. */
function asking(trigger: Trigger, revision: string | undefined): Trigger {
  return revision === trigger.revision ? trigger : { ...trigger, revision };
}

/** The relay has one cluster, so that its name adds nothing. */
export function outboxKey({ controller, namespace, name }: Trigger): string {
  return keyOf({ cluster: "", controller, name, ...(namespace === undefined ? undefined : { namespace }) });
}
