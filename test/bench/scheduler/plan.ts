import type { StoreName } from "./open-scheduler.ts";
import type { Sampling } from "./sampling.ts";

/** What one process measures, on a store and a path of its own. */
export type Case =
  | { type: "throughput"; store: StoreName; keys: number }
  | { type: "latency"; store: StoreName; idle: number; loaded: Sampling }
  | { type: "hang"; store: StoreName; keys: number; controllers: number; sampling: Sampling }
  | { type: "relist"; store: StoreName; keys: number; sampling: Sampling }
  | { type: "fill"; rows: number; requeueMs: number; aheadMs?: number }
  | { type: "polls"; sampling: Sampling }
  | { type: "load"; rows: number };

/** How much of everything. */
export type Size = {
  keys: number;
  idle: number;
  sampling: Sampling;
  hanging: number;
  manyControllers: number;
  polls: number;
  relisted: number;
};

const hanging = { hanging: 1_000, manyControllers: 100 };

/** Minutes. */
export const full: Size = {
  ...hanging,
  keys: 20_000,
  idle: 500,
  sampling: { count: 250, everyMs: 20, limitMs: 10_000 },
  polls: 20_000,
  relisted: 100_000,
};

/** About 20 seconds, for CI: enough to see a neighbour wait, too little for figures. */
export const quick: Size = {
  ...hanging,
  keys: 3_000,
  idle: 60,
  sampling: { count: 60, everyMs: 20, limitMs: 1_000 },
  polls: 8_000,
  relisted: 10_000,
};
