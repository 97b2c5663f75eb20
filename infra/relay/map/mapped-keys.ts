import type { MapAnswer } from "../../../functions/contract/index.ts";
import type { PlannedRelation } from "../plan/plan.ts";
import { idOf } from "./references.ts";

/**
 * The ids of the primaries that code told for an object, or why none of them is taken: a key of another controller or cluster
 * is refused (X2), and so is one that its kind cannot have.
 */
export function idsOf(
  result: MapAnswer["results"][number],
  { controller, primary }: PlannedRelation,
  own: string,
): readonly string[] | string {
  if ("error" in result) return result.error;
  const ids = new Set<string>();
  for (const [at, key] of result.keys.entries()) {
    if (key.controller !== undefined && key.controller !== controller) return `keys[${at}].controller: is another one`;
    if (key.cluster !== undefined && key.cluster !== own) return `keys[${at}].cluster: is another one`;
    if ((key.namespace !== undefined) !== (primary.scope === "Namespaced"))
      return `keys[${at}].namespace: ${primary.kind} is ${primary.scope}`;
    ids.add(idOf(key.namespace, key.name));
  }
  return [...ids];
}
