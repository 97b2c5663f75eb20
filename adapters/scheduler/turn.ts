/**
 * Whose turn it is: lanes within a line, and lines among each other (S11, S20). Pure.
 * @module
 */
import type { Queue } from "./entry.ts";
import type { Pace } from "./pause.ts";

/** Where both lanes wait, this many live keys start to one of the resync lane (S11). */
export const LIVE_TO_ONE = 4;

/** What is remembered over all lines. A reload forgets it. */
export type Turn = {
  /** Live keys in a row that started while one of the resync lane was next in its line. */
  readonly passed: number;
  /** How many starts there were: a line keeps the number of its last one. */
  readonly served: number;
};

/** The queue whose turn it is in a line, of those where something waits; undefined where nothing does. */
export function queueInTurn(pace: Pace, waits: Readonly<Record<Queue, boolean>>): Queue | undefined {
  const resync =
    waits.timer && waits.bulk ? otherThan(pace.resynced) : waits.timer ? "timer" : waits.bulk ? "bulk" : undefined;
  if (!waits.live) return resync;
  return resync === undefined || pace.passed < LIVE_TO_ONE ? "live" : resync;
}

/** The line's turn once a key of this queue has started. */
export function served(pace: Pace, queue: Queue, waits: Readonly<Record<Queue, boolean>>): Pace {
  if (queue !== "live") return { ...pace, passed: 0, resynced: queue };
  return waits.timer || waits.bulk ? { ...pace, passed: pace.passed + 1 } : pace;
}

/**
 * Of heads in several lines the one that starts next: live before resync, four to one where both wait; among those the line
 * that was served least recently, the first of equal ones.
 */
export function headInTurn<T extends { readonly queue: Queue; readonly served: number }>(
  turn: Turn,
  heads: readonly T[],
): T {
  const live = heads.filter(({ queue }) => queue === "live");
  const resync = heads.filter(({ queue }) => queue !== "live");
  const isLive = live.length > 0 && (resync.length === 0 || turn.passed < LIVE_TO_ONE);
  return leastRecent(isLive ? live : resync);
}

export function leastRecent<T extends { readonly served: number }>(heads: readonly T[]): T {
  return heads.reduce((first, head) => (head.served < first.served ? head : first));
}

const otherThan = (queue: "timer" | "bulk" | null) => (queue === "timer" ? "bulk" : "timer");
