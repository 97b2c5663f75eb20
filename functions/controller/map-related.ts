import { MAX_MAP_KEYS, type MapRequest, type MapResult } from "../contract/index.ts";
import type { Clock, Logger } from "../ports/index.ts";
import type { Controller } from "./controller.ts";
import { withinDeadline } from "./deadline.ts";
import { errorText } from "./error-text.ts";
import type { MapTo } from "./relations.ts";

/** How long code may take to map one object, in milliseconds: a third of what a relay waits for the whole answer. */
const MAP_DEADLINE_MS = 10_000;

export type MapDeps = { cluster: string; env: unknown; clock: Clock; logger: Logger; secrets: readonly string[] };

/**
 * The keys that a controller's code tells for a related object, or why it told none: its failure is the object's alone. The
 * relay checks each key, which it must not take on trust anyway (X2).
 * @example await mapRelated(documents, mapTo, { object }, deps) // { keys: [{ namespace: "default", name: "a" }] }
 */
export async function mapRelated(
  controller: Controller,
  mapTo: MapTo,
  { object, deleted }: MapRequest["objects"][number],
  { cluster, env, clock, logger, secrets }: MapDeps,
): Promise<MapResult> {
  const log = logger.with({ controller: controller.name });
  const context = { cluster, env, log, deleted: deleted === true };
  try {
    const told = await withinDeadline(clock, MAP_DEADLINE_MS, async () => mapTo(object, context));
    if (!Array.isArray(told) || told.length > MAX_MAP_KEYS)
      throw new TypeError(`mapTo must return a list of at most ${MAX_MAP_KEYS} keys`);
    // As it will be sent, so that what JSON cannot hold fails here, and no other object's keys with it.
    return { keys: JSON.parse(JSON.stringify(told, ["cluster", "controller", "namespace", "name"])) };
  } catch (error) {
    const text = errorText(error, secrets);
    log.warn("mapTo failed", { kind: object.kind, error: text });
    return { error: text };
  }
}
