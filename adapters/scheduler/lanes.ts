import type { Lane } from "../../functions/contract/index.ts";

export const LANES: readonly Lane[] = ["live", "resync"];

/** Where both lanes wait, this many live keys start to one of the resync lane (S11). */
const LIVE_TO_ONE = 4;

/**
 * S11: in which order the keys of two lanes start.
 * @param room how many may start.
 * @param passed live keys that have started past a waiting resync key since the last one of that lane.
 */
export function inTurn<T>(
  { live, resync }: Readonly<Record<Lane, readonly T[]>>,
  room: number,
  passed: number,
): { order: T[]; passed: number } {
  const order: T[] = [];
  for (let l = 0, r = 0; order.length < room && (l < live.length || r < resync.length); ) {
    const bothWait = l < live.length && r < resync.length;
    if (bothWait ? passed < LIVE_TO_ONE : l < live.length) {
      order.push(live[l++]!);
      if (bothWait) passed++;
    } else {
      order.push(resync[r++]!);
      passed = 0;
    }
  }
  return { order, passed };
}
