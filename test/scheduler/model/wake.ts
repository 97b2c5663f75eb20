import { must, same } from "./check.ts";
import { dueAt, type Key, type Moment } from "./key.ts";
import type { Line } from "./line.ts";
import { deletedAt } from "./park.ts";
import type { Shard } from "./shard.ts";
import type { Situation } from "./situations.ts";
import { mayStart } from "./start.ts";

const LONGEST_TIMER_MS = 2 ** 31 - 1;

type Wake = { readonly inMs: number; readonly situation: Situation };

/**
 * S4: the earliest instant at which time alone permits progress: when a key that neither a run, a cap nor a pause holds may
 * start, the end of a pause or the gate's opening (S6) for those that these hold, a lease's end, or the end of what is
 * parked. It lies ahead, as all that may start has started, but for what the most starts of a step have left (S20).
 */
export function checkWake(shard: Shard, wakeInMs: number | null, drains: boolean, { now, seen }: Moment): void {
  const keys = [...shard.keys.values()];
  const isDue = (key: Key) => mayStart(key).at <= now.at;
  if (keys.some((key) => key.run && isDue(key))) seen("S2 a due key waits for its own run");
  const leaseEnd = Math.min(...keys.map(({ run }) => (run ? run.endsAt - now.monotonic : Infinity)));
  const first = drains ? undefined : firstOf([...shard.lines.values()].flatMap((line) => wakesOf(shard, line, now)));
  const due = Math.max(0, first?.inMs ?? Infinity);
  const wake = Math.min(due, leaseEnd);
  const isEarly = wakeInMs !== null && wakeInMs < wake && keys.some(isPutDownTooEarly);
  if (!isEarly) same("S4: the wake-up", wakeInMs, wake === Infinity ? null : Math.ceil(wake));
  if (drains) return;
  must("S4: what is wanted has a wake-up", wakeInMs !== null || keys.every((key) => !key.run && !key.wants.length));
  if (wake === Infinity) seen("S4 nothing to do, no wake-up");
  else if (due < leaseEnd) seen(first!.situation);
  else if (keys.some((key) => key.line.isDeclared && isDue(key)))
    seen("S4 the wake-up is a lease's end while a cap or a run holds what is due");
  if (wake !== Infinity && wake > LONGEST_TIMER_MS) seen("S9 what is due beyond a 32 bit timer wakes nobody before");
}

/** One wake-up puts it where it belongs. */
const isPutDownTooEarly = (key: Key) => key.isMisplaced && key.line.isDeclared && mayStart(key).at > dueAt(key);

function wakesOf(shard: Shard, line: Line, now: Moment["now"]): Wake[] {
  const { pause } = line;
  if (!line.isDeclared) return [{ inMs: deletedAt(line) - now.at, situation: "S4 the wake-up is a parked line's end" }];
  if (shard.holds(line) !== null || pause?.probe) return [];
  const gateInMs = shard.gateOpensIn(now.monotonic);
  return line.keys.flatMap((key): Wake[] => {
    if (key.run || key.wants.length === 0) return [];
    const dueInMs = mayStart(key).at - now.at;
    const pauseInMs = pause ? pause.until - now.at : -Infinity;
    const inMs = Math.max(dueInMs, pauseInMs, key.lost > 0 ? gateInMs : -Infinity);
    if (inMs <= 0) return [{ inMs, situation: "S20 what the most starts leave is due at once" }];
    if (inMs === dueInMs) return [{ inMs, situation: "S4 the wake-up is a due time" }];
    return [
      {
        inMs,
        situation: inMs === pauseInMs ? "S4 the wake-up is a pause's end" : "S4 the wake-up is the gate's opening",
      },
    ];
  });
}

const firstOf = (wakes: readonly Wake[]): Wake | undefined =>
  wakes.reduce<Wake | undefined>((first, wake) => (first && first.inMs <= wake.inMs ? first : wake), undefined);
