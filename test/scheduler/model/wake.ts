import { must, same } from "./check.ts";
import type { Controller } from "./controller.ts";
import type { Key, Moment } from "./key.ts";
import { deletedAt } from "./park.ts";
import { mayStart } from "./start.ts";

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * S4: the earliest instant at which time alone permits progress: when a key that neither a run, a cap nor a pause holds may
 * start, a pause's end for those that it holds, a lease's end, or the end of what is parked. It lies ahead, as all that may
 * start has started.
 */
export function checkWake(keys: readonly Key[], wakeInMs: number | null, { now, seen }: Moment): void {
  let due = Infinity;
  let leaseEnd = Infinity;
  let holds = false;
  let pauses = false;
  for (const key of keys) {
    const { controller } = key;
    const { at } = mayStart(key);
    if (key.run) {
      leaseEnd = Math.min(leaseEnd, key.run.endsAt - now.monotonic);
      if (at <= now.at) {
        holds = true;
        seen("S2 a due key waits for its own run");
      }
    } else if (!controller.isDeclared) due = Math.min(due, deletedAt(key) - now.at);
    else if (controller.isFull || controller.pause?.probe) holds ||= at <= now.at;
    else {
      const free = Math.max(at, pauseEnd(controller));
      if (free < due + now.at) pauses = free > at;
      due = Math.min(due, free - now.at);
    }
  }
  const wake = Math.min(due, leaseEnd);
  same("S4: the wake-up", wakeInMs, wake === Infinity ? null : Math.ceil(wake));
  if (wakeInMs !== null) must("S4: the wake-up lies ahead", wakeInMs > 0);
  must("S4: what is wanted has a wake-up", wakeInMs !== null || keys.every((key) => !key.run && !key.wants.length));
  if (wake === Infinity) seen("S4 nothing to do, no wake-up");
  else if (due < leaseEnd) seen(pauses ? "S4 the wake-up is a pause's end" : "S4 the wake-up is a due time");
  else if (holds) seen("S4 the wake-up is a lease's end while a cap or a run holds what is due");
  if (wake !== Infinity && wake > LONGEST_TIMER_MS) seen("S9 what is due beyond a 32 bit timer wakes nobody before");
}

const pauseEnd = ({ pause }: Controller) => pause?.until ?? Number.NEGATIVE_INFINITY;
