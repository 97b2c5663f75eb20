import { mapResult } from "../../../functions/contract/index.ts";
import type { PlannedRelation } from "../plan/plan.ts";
import { idOf } from "./references.ts";

/**
 * The ids of the primaries that code told for an object, or why none of them is taken: a key of another controller or cluster
 * is refused (X2), and so is one that its kind cannot have.
 */
export function idsOf(
  result: unknown,
  { controller, primary }: PlannedRelation,
  own: string,
): readonly string[] | string {
  if (typeof result === "object" && result !== null && "error" in result) return String(result.error);
  const { data, error } = mapResult.options[0].safeParse(result);
  if (!data) return `${error.issues[0]?.path.join(".")}: ${error.issues[0]?.message}`;
  const ids = new Set<string>();
  for (const [at, key] of data.keys.entries()) {
    if ((key.controller ?? controller) !== controller) return `keys.${at}.controller: is not ${controller}`;
    if ((key.cluster ?? own) !== own) return `keys.${at}.cluster: is not ${own}`;
    if ((key.namespace !== undefined) !== (primary.scope === "Namespaced"))
      return `keys.${at}.namespace: ${primary.kind} is ${primary.scope}`;
    ids.add(idOf(key.namespace, key.name));
  }
  return [...ids];
}
