import * as z from "zod";

/** What a successful run asks for. It cannot express both an error and a requeue. */
export const action = z.union([
  z.strictObject({ requeueAfterMs: z.int().min(0) }),
  z.strictObject({ awaitChange: z.literal(true) }),
]);
export type Action = z.infer<typeof action>;
