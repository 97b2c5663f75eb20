import * as z from "zod";
import { MAX_DELAY_MS } from "./limits.ts";

/** How failures of a key are spaced: `baseMs × factor^attempt`, cut at `maxMs`, then up to `jitter` of it more or less. */
export const backoffOptions = z.strictObject({
  baseMs: z.int().min(1).max(MAX_DELAY_MS).default(1_000),
  factor: z.number().min(1).max(10).default(2),
  maxMs: z.int().min(1).max(MAX_DELAY_MS).default(900_000),
  jitter: z.number().min(0).max(1).default(0.25),
});
export type BackoffOptions = z.infer<typeof backoffOptions>;

/** 1 s × 2 to 15 min, 25 % jitter. */
export const DEFAULT_BACKOFF: BackoffOptions = backoffOptions.parse({});

/**
 * The delay in milliseconds before the retry of a key that failed `attempt` times before this failure.
 * @param random in [0, 1): 0.5 is the delay without jitter.
 * @example backoffMs(DEFAULT_BACKOFF, 3, 0.5) // 8000
 */
export function backoffMs(options: BackoffOptions, attempt: number, random: number): number {
  const plain = Math.min(options.maxMs, options.baseMs * options.factor ** Math.min(attempt, 1_000));
  return Math.round(plain * (1 + options.jitter * (2 * random - 1)));
}
