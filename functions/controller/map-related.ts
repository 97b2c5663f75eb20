import { MAX_MAP_KEYS, type MappedKey, type MapRequest, mappedKey } from "../contract/index.ts";
import type { Clock, Logger } from "../ports/index.ts";
import type { Controller } from "./controller.ts";
import { withinDeadline } from "./deadline.ts";
import { errorText } from "./error-text.ts";
import type { MapTo } from "./relations.ts";

/** How long code may take to map one object, in milliseconds: a third of what a relay waits for the whole answer. */
const MAP_DEADLINE_MS = 10_000;

export type MapDeps = { cluster: string; env: unknown; clock: Clock; logger: Logger; secrets: readonly string[] };

/**
 * The keys that a controller's code tells for a related object, or why it told none: its failure is the object's alone.
 * @example await mapRelated(documents, mapTo, { object }, deps) // { keys: [{ namespace: "default", name: "a" }] }
 */
export async function mapRelated(
  controller: Controller,
  mapTo: MapTo,
  { object, deleted }: MapRequest["objects"][number],
  { cluster, env, clock, logger, secrets }: MapDeps,
): Promise<{ keys: MappedKey[] } | { error: string }> {
  const log = logger.with({ controller: controller.name });
  try {
    const told = await withinDeadline(clock, MAP_DEADLINE_MS, async () =>
      mapTo(object, { cluster, env, log, deleted: deleted === true }),
    );
    if (!Array.isArray(told)) throw new TypeError("mapTo must return a list of keys");
    if (told.length > MAX_MAP_KEYS) throw new RangeError(`${told.length} keys; at most ${MAX_MAP_KEYS}`);
    return { keys: told.map((key: unknown, at) => keyOf(key, at, controller, cluster)) };
  } catch (error) {
    return { error: errorText(error, secrets) };
  }
}

/** A key of this controller and cluster alone (X2), as its kind has it. */
function keyOf(key: unknown, at: number, { name, for: primary }: Controller, cluster: string): MappedKey {
  const wrong = (field: string, why: string): never => {
    throw new TypeError(`keys[${at}].${field}: ${why}`);
  };
  const { data, error } = mappedKey.safeParse(key);
  if (!data) return wrong(String(error.issues[0]?.path[0] ?? "name"), `${error.issues[0]?.message}`);
  if ((data.cluster ?? cluster) !== cluster) wrong("cluster", `is not ${cluster}`);
  if ((data.controller ?? name) !== name) wrong("controller", `is not ${name}`);
  if ((data.namespace !== undefined) !== (primary.scope === "Namespaced"))
    wrong("namespace", `${primary.kind} is ${primary.scope}`);
  return { ...(data.namespace !== undefined && { namespace: data.namespace }), name: data.name };
}
