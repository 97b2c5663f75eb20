import * as z from "zod";

/** A condition on a label, as Kubernetes' own selectors have it. Values belong to `In` and `NotIn`, and to nothing else. */
export const labelRequirement = z.object({
  key: z.string(),
  operator: z.enum(["In", "NotIn", "Exists", "DoesNotExist"]),
  values: z.array(z.string()).optional(),
});
export type LabelRequirement = z.infer<typeof labelRequirement>;

/** All of the labels, and all of the conditions. */
export const labelSelector = z.object({
  matchLabels: z.record(z.string(), z.string()).optional(),
  matchExpressions: z.array(labelRequirement).optional(),
});
export type LabelSelector = z.infer<typeof labelSelector>;
