import type { Lane, Reason } from "../../../functions/contract/index.ts";
import { dueAt, exists, type Key, laneOf, type Moment, queueOf, reasonsOf } from "./key.ts";
import type { Shard } from "./shard.ts";

/**
 * S1, S2, S10: a trigger is one more wish, due after the controller's debounce. As the earliest wish wins, the window is
 * that of the first trigger, and a wish that came during a run waits for the run alone. S21: false where nothing has changed.
 */
export function trigger(shard: Shard, key: Key, reason: Reason, lane: Lane, { now, seen }: Moment): boolean {
  if (shard.isFullFor(key)) {
    if (!exists(key)) return false;
    seen("S21 a known key merges though its shard is full");
  }
  const due = now.at + key.line.options.debounceMs;
  if (key.wants.length > 0) {
    if (due < dueAt(key) && key.wants.some((want) => !want.trigger))
      seen("S1 a trigger consumes a waiting requeue or retry");
    if (due >= dueAt(key)) {
      if (lane === "live" && laneOf(key) === "resync") seen("S1 the live lane wins where the due time stays");
      if (!reasonsOf(key).includes(reason)) seen("S1 reasons unite where the due time stays");
    }
    if (due > dueAt(key) && dueAt(key) > now.at && key.wants.every((want) => want.trigger))
      seen("S10 a later trigger does not move the window");
    if (lane === "resync" && queueOf(key) === "timer")
      seen(
        due < dueAt(key) ? "S1 an earlier bulk makes a timer a bulk" : "S1 a bulk that is not earlier leaves a timer",
      );
  }
  const queue = lane === "live" ? "live" : "bulk";
  key.wants.push({ at: now.at, due, queue, reason, trigger: true, duringRun: key.run !== null });
  return true;
}
