import * as z from "zod";
import { wakeAnswer } from "./wake-answer.ts";

/** `202`: every trigger not named in `rejected` is durable. */
export const triggersAnswer = z.object({
  ...wakeAnswer.shape,
  accepted: z.int().min(0),
  /**
   * Triggers that will never be accepted; `error` begins with the field that is wrong. With `controller:` the function
   * deployment does not know the controller, perhaps not yet: the relay holds that trigger instead of dropping it (R5).
   */
  rejected: z.array(z.object({ index: z.int().min(0), error: z.string() })),
});
export type TriggersAnswer = z.infer<typeof triggersAnswer>;
