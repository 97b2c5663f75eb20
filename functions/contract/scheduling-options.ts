import * as z from "zod";
import { backoffOptions } from "./backoff.ts";
import { MAX_DELAY_MS, MAX_RUN_MS } from "./limits.ts";

/** What the scheduler needs to know of a controller. */
export const schedulingOptions = z.object({
  /** Runs at once within a shard (S12). */
  concurrency: z.int().min(1).max(10_000).default(16),
  /** The fixed window after a first trigger (S10), in milliseconds. */
  debounceMs: z.int().min(0).max(MAX_DELAY_MS).default(0),
  /** How long one run may take, in milliseconds. */
  deadlineMs: z.int().min(1).max(MAX_RUN_MS).default(60_000),
  backoff: backoffOptions.default(backoffOptions.parse({})),
  /** Starts of one key within a minute before it is spaced (S19). */
  startsPerMinute: z.int().min(1).default(60),
});
export type SchedulingOptions = z.infer<typeof schedulingOptions>;
