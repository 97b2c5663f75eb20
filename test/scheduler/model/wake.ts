import { must, same } from "./check.ts";
import type { Key, Moment, Now } from "./key.ts";
import { isPutDownTooEarly, mayStart } from "./may-start.ts";
import { deletedAt } from "./park.ts";
import type { Shard } from "./shard.ts";
import type { Situation } from "./situations.ts";

const LONGEST_TIMER_MS = 2 ** 31 - 1;

type Wake = { readonly inMs: number; readonly situation: Situation };

/**
 * S4: the earliest instant at which time alone permits progress: when a key that neither a run, a cap nor a pause holds may
 * start, the end of a pause or the gate's opening (S6) for those that these hold, a lease's end, or the end of what is
 * parked. It lies ahead, as all that may start has started, but for what the most starts of a step have left (S20).
 */
export function checkWake(shard: Shard, wakeInMs: number | null, drains: boolean, { now, seen }: Moment): void {
  const keys = shard.all;
  let leaseEnd = Infinity;
  for (const { run } of keys) if (run) leaseEnd = Math.min(leaseEnd, run.endsAt - now.monotonic);
  if (keys.some((key) => key.run && isDue(key, now.at))) seen("S2 a due key waits for its own run");
  const first = drains ? undefined : firstWake(shard, now);
  const due = Math.max(0, first?.inMs ?? Infinity);
  const wake = Math.min(due, leaseEnd);
  // One wake-up puts the key where it belongs.
  const isEarly = wakeInMs !== null && wakeInMs < wake && keys.some(isPutDownTooEarly);
  if (!isEarly) same("S4: the wake-up", wakeInMs, wake === Infinity ? null : Math.ceil(wake));
  if (drains) return;
  must("S4: what is wanted has a wake-up", wakeInMs !== null || keys.every((key) => !key.run && !key.wants.length));
  if (wake === Infinity) seen("S4 nothing to do, no wake-up");
  else if (due < leaseEnd) seen(first!.situation);
  else if (keys.some((key) => key.line.isDeclared && isDue(key, now.at)))
    seen("S4 the wake-up is a lease's end while a cap or a run holds what is due");
  if (wake !== Infinity && wake > LONGEST_TIMER_MS) seen("S9 what is due beyond a 32 bit timer wakes nobody before");
}

const isDue = (key: Key, now: number) => key.wants.length > 0 && mayStart(key).at <= now;

function firstWake(shard: Shard, now: Now): Wake | undefined {
  let first: Wake | undefined;
  const gateInMs = shard.gateOpensIn(now.monotonic);
  for (const line of shard.lines.values()) {
    if (line.isDeclared && (line.pause?.probe || shard.holds(line) !== null)) continue;
    const inMs = deletedAt(line) - now.at;
    if (inMs < (first?.inMs ?? Infinity)) first = { inMs, situation: "S4 the wake-up is a parked line's end" };
    if (!line.isDeclared) continue;
    for (const key of line.keys) {
      const wake = key.run || key.wants.length === 0 ? undefined : wakeOf(key, gateInMs, now.at);
      if (wake && wake.inMs < (first?.inMs ?? Infinity)) first = wake;
    }
  }
  return first;
}

/** When time alone lets a key of a line with a free place start. */
function wakeOf(key: Key, gateOpensInMs: number, now: number): Wake {
  const { pause } = key.line;
  const dueInMs = mayStart(key).at - now;
  const pauseInMs = pause ? pause.until - now : -Infinity;
  const gateInMs = key.lost > 0 ? gateOpensInMs : -Infinity;
  const inMs = Math.max(dueInMs, pauseInMs, gateInMs);
  if (inMs <= 0) return { inMs, situation: "S20 what the most starts leave is due at once" };
  if (inMs === dueInMs) return { inMs, situation: "S4 the wake-up is a due time" };
  return {
    inMs,
    situation: inMs === pauseInMs ? "S4 the wake-up is a pause's end" : "S4 the wake-up is the gate's opening",
  };
}
