import type { LabelRequirement, LabelSelector, WatchSpec } from "../../../functions/contract/index.ts";

/** A label selector as the API server reads it, empty where everything is selected. Sorted: order makes no second watch. */
export function labelSelectorOf({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  return [...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`), ...matchExpressions.map(textOf)]
    .sort()
    .join(",");
}

/** A field selector as the API server reads it, empty where everything is selected. */
export function fieldSelectorOf({ matchFields = {} }: WatchSpec): string {
  return Object.entries(matchFields)
    .map(([path, value]) => `${path.replace(/^\./, "")}=${value.replaceAll(/[\\,=]/g, "\\$&")}`)
    .sort()
    .join(",");
}

function textOf({ key, operator, values = [] }: LabelRequirement): string {
  if (operator === "Exists") return key;
  if (operator === "DoesNotExist") return `!${key}`;
  return `${key} ${operator === "In" ? "in" : "notin"} (${[...values].sort().join(",")})`;
}
