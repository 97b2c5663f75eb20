import { type Capacity, letsStartOne } from "./capacity.ts";
import type { Now } from "./core.ts";
import { type Line, QUEUES } from "./line.ts";
import { lostGateInMs } from "./lost.ts";
import { deletedAt } from "./park.ts";
import { startsAgainAt } from "./pause.ts";
import type { State } from "./state.ts";

const NEVER = Number.POSITIVE_INFINITY;

/** Milliseconds; null where there is nothing to wait for. */
export type Wakes = {
  /** Until the first entry that time alone holds may start, or the time of the first parked line ends. */
  readonly startInMs: number | null;
  /** Until the first lease ends. */
  readonly leaseInMs: number | null;
};

/** S4: milliseconds until time alone permits progress; null where it never does. */
export function wakeInMs(state: State, now: Now, start = true): number | null {
  const { startInMs, leaseInMs } = wakesOf(state, now, start);
  return earlier(startInMs, leaseInMs);
}

export const earlier = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

/** @param start false while draining: nothing starts, so that only leases end. */
export function wakesOf(state: State, now: Now, start = true): Wakes {
  const gateInMs = lostGateInMs(state.lost, (key) => state.running().get(key)?.lease?.id, now.monotonic);
  let capacity: Capacity | undefined;
  let wake = NEVER;
  let lease = NEVER;
  for (const line of state.lines()) {
    const leaseEnd = line.running.first();
    if (leaseEnd) lease = Math.min(lease, leaseEnd.at - now.monotonic);
    if (!start || line.waiting === 0) continue;
    capacity ??= capacityOf(state);
    if (!line.options) wake = Math.min(wake, (deletedAt(state, line) ?? NEVER) - now.at);
    else if (line.running.size < line.options.concurrency && letsStartOne(capacity, line.running.size))
      wake = Math.min(wake, startInMs(line, now.at, gateInMs));
  }
  return { startInMs: whole(wake), leaseInMs: whole(lease) };
}

const whole = (ms: number) => (ms === NEVER ? null : Math.max(0, Math.ceil(ms)));

/** When time alone lets a line with a free place start something. */
function startInMs(line: Line, now: number, gateInMs: number): number {
  const pauseEnd = startsAgainAt(line.pace.pause);
  const first = Math.min(...QUEUES.map((queue) => line[queue].first()?.at ?? NEVER));
  const lost = Math.max((line.lost.first()?.at ?? NEVER) - now, gateInMs, pauseEnd - now);
  return Math.min(Math.max(first, pauseEnd) - now, lost);
}

function capacityOf(state: State): Capacity {
  let idle = 0;
  for (const { options, running } of state.lines()) if (options && running.size === 0) idle++;
  return { most: state.limits.running, running: state.running().size, idle };
}
