import { setImmediate } from "node:timers/promises";
import { type Lane, MAX_TRIGGERS, type ObjectRef, type Trigger } from "../../../functions/contract/index.ts";
import type { Opened } from "./open-scheduler.ts";

export const CONTROLLER = "documents";

export function refOf(cluster: string, name: string, controller = CONTROLLER): ObjectRef {
  return { cluster, controller, namespace: "default", name };
}

export function triggerOf({ controller, namespace, name }: ObjectRef, lane: Lane = "live"): Trigger {
  const reason = lane === "live" ? "object-updated" : "bulk";
  return { controller, ...(namespace !== undefined && { namespace }), name, reason, lane };
}

/** Has all triggers of one cluster accepted, in batches, `width` at a time. */
export async function acceptAll(
  scheduler: Opened,
  triggers: readonly Trigger[],
  { batch = MAX_TRIGGERS, width = 1 } = {},
  cluster = "a",
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < triggers.length) {
      const from = next;
      next += batch;
      await scheduler.accept(cluster, triggers.slice(from, from + batch));
      await setImmediate(); // as a batch that comes over a connection
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
}

/** A cluster's documents, with triggers for them all. */
export function manyTriggers(count: number, lane: Lane = "live"): Trigger[] {
  return Array.from({ length: count }, (_, i) => triggerOf(refOf("a", `document-${i}`), lane));
}
