import * as z from "zod";
import { wakeAnswer } from "./wake-answer.ts";

/** `202`: every trigger not named in `rejected` is durable. */
export const triggersAnswer = z.object({
  ...wakeAnswer.shape,
  accepted: z.int().min(0),
  /**
   * Triggers that were not accepted; `error` begins with the field that is wrong. The relay drops them (R5), but holds and
   * sends again those whose error begins with `controller:`, since the function deployment does not know the controller,
   * perhaps not yet, or with `shard-full`: the key is new, and the scheduler's shard holds as many as it can.
   */
  rejected: z.array(z.object({ index: z.int().min(0), error: z.string() })),
});
export type TriggersAnswer = z.infer<typeof triggersAnswer>;
