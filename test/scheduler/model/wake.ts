import { must, same } from "./check.ts";
import type { Key, Moment } from "./key.ts";
import { mayStart } from "./start.ts";

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * S4: the earliest instant at which time alone permits progress: when a key that neither a run nor a cap holds may start,
 * or a lease's end. It lies ahead, as all that may start has started.
 */
export function checkWake(keys: readonly Key[], wakeInMs: number | null, { now, seen }: Moment): void {
  const isFull = (controller: string) => {
    const own = keys.filter(({ ref }) => ref.controller === controller);
    return own.filter(({ run }) => run).length >= own[0]!.options.concurrency;
  };
  let due = Infinity;
  let leaseEnd = Infinity;
  let holds = false;
  for (const key of keys) {
    if (key.run) {
      leaseEnd = Math.min(leaseEnd, key.run.endsAt - now.monotonic);
      if (mayStart(key).at <= now.at) {
        holds = true;
        seen("S2 a due key waits for its own run");
      }
    } else if (isFull(key.ref.controller)) holds ||= mayStart(key).at <= now.at;
    else due = Math.min(due, mayStart(key).at - now.at);
  }
  const wake = Math.min(due, leaseEnd);
  same("S4: the wake-up", wakeInMs, wake === Infinity ? null : Math.ceil(wake));
  if (wakeInMs !== null) must("S4: the wake-up lies ahead", wakeInMs > 0);
  must("S4: what is wanted has a wake-up", wakeInMs !== null || keys.every((key) => !key.run && !key.wants.length));
  if (wake === Infinity) seen("S4 nothing to do, no wake-up");
  else if (due < leaseEnd) seen("S4 the wake-up is a due time");
  else if (holds) seen("S4 the wake-up is a lease's end while a cap or a run holds what is due");
  if (wake !== Infinity && wake > LONGEST_TIMER_MS) seen("S9 what is due beyond a 32 bit timer wakes nobody before");
}
