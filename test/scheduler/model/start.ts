import { keyOf, type ReconcileRequest } from "../../../functions/contract/index.ts";
import { must, same, sameSet } from "./check.ts";
import { dueAt, type Key, lastStart, type Moment, queueOf, reasonsOf } from "./key.ts";
import type { Line } from "./line.ts";
import { BUDGET_SPACING_MS, dueOf, isOverBudget, MINUTE_MS, mayStart } from "./may-start.ts";
import type { Shard } from "./shard.ts";
import { checkTurn, headsOf, takeTurn } from "./turn.ts";

/** What a step was given beside its inputs. */
export type StartOptions = {
  readonly mostStarts: number | undefined;
  /** An orderly stop: nothing starts. */
  readonly drains: boolean;
  readonly leaseMs: (key: Key) => number;
};

/** Takes over what the core started, and holds it against the rules. Returns whom S19 has to name. */
export function start(
  shard: Shard,
  starts: readonly ReconcileRequest[],
  { mostStarts = Infinity, drains, leaseMs }: StartOptions,
  moment: Moment,
): string[] {
  const named: string[] = [];
  must(`S20: ${starts.length} runs start`, starts.length <= (drains ? 0 : mostStarts));
  for (const request of starts) {
    const key = shard.keys.get(keyOf(request.key));
    must(`S1: nobody asked for ${keyOf(request.key)}, which starts`, key !== undefined);
    must(`S2: ${key!.name} starts while it runs`, key!.run === null);
    const { at, rule } = mayStart(key!);
    must(`${rule}: ${key!.name} starts at ${moment.now.at}, not before ${at}`, at <= moment.now.at);
    checkRequest(key!, request, moment);
    takeTurn(shard, key!, request.lease, checkTurn(shard, key!, moment), moment.now);
    if (take(key!, request, leaseMs(key!), moment)) named.push(key!.name);
  }
  if (drains) return named;
  const isCut = starts.length === mostStarts;
  for (const line of shard.lines.values()) checkHeld(shard, line, isCut, moment);
  return named;
}

/** S1, S6, S13, S15: what the request says. */
function checkRequest(key: Key, request: ReconcileRequest, { now, seen }: Moment): void {
  sameSet(`S1: reasons of ${key.name}'s request`, request.reasons, reasonsOf(key));
  same(`S13: uid of ${key.name}'s request`, request.uid, key.uid);
  same(`S15: attempt of ${key.name}'s request`, request.attempt, key.failures);
  same(`S6: counts of ${key.name}'s request`, request.counts, key.backoffUntil === null || key.backoffUntil <= now.at);
  same(`S5: deadline of ${key.name}'s request`, request.deadlineMs, key.line.options.deadlineMs);
  if (key.failures > 0) seen("S15 a request carries the count");
  else if (key.hasFailed) seen("S15 a request carries 0 without an entry, after failures");
  if (key.failures === 0) key.hasFailed = false;
}

/** S2, S5, S6, S19: the run takes every wish and holds a lease. Returns whether the key has just gone over its budget. */
function take(key: Key, request: ReconcileRequest, leaseMs: number, { now, seen }: Moment): boolean {
  const over = isOverBudget(key, now.at);
  countStart(key, now.at, over, seen);
  const isHeld = over && dueAt(key) < lastStart(key) + BUDGET_SPACING_MS;
  const withinAMinute = key.starts.filter(({ at, counted }) => counted && at > now.at - MINUTE_MS).length + 1;
  const isSpent = withinAMinute >= key.line.options.startsPerMinute;
  if (isHeld) seen("S19 a key over its budget starts once in 5 s");
  if (isHeld && !isSpent) seen("S19 a key that is still held stays spaced below its budget");
  if (!over && key.starts.some(({ strained }) => strained)) seen("S19 a key is free again after a minute without need");
  key.run = {
    ...{ lease: request.lease, startedAt: now.at, until: now.at + leaseMs, endsAt: now.monotonic + leaseMs },
    ...{ counts: request.counts, uid: key.uid, queue: queueOf(key), wants: key.wants },
    ...{ refused: false, foundAtLoad: false },
  };
  key.starts.push({ at: now.at, strained: isHeld || isSpent, counted: true });
  key.wants = [];
  key.isMisplaced = false;
  return isSpent && !over;
}

/** The situations that end with a start. */
function countStart(key: Key, now: number, over: boolean, seen: Moment["seen"]): void {
  const isEarly = key.backoffUntil !== null && now < key.backoffUntil;
  if (isEarly) seen("S6 a run before backoffUntil does not count");
  else if (key.backoffUntil !== null && key.wants.some(({ trigger, due }) => trigger && due <= now))
    seen("S6 a run at or after backoffUntil counts, whatever woke it");
  if (isEarly && mayStart(key).at > dueAt(key) && !over)
    seen(
      key.earlyFailures ? "S6 further early runs are spaced by base × 2^k" : "S6 a first early run is spaced by base",
    );
  const triggers = key.wants.filter(({ trigger }) => trigger);
  if (triggers.filter(({ duringRun }) => duringRun).length > 1)
    seen("S2 several triggers during a run cause one more run");
  if (triggers.length > 1 && key.line.options.debounceMs > 0) seen("S10 triggers within the window run once");
  if (key.heldBy) seen(`S12 a key that ${key.heldBy} held starts once a run has ended`);
  if (key.wasParked) seen("S17 a parked entry runs once its line is declared again");
  key.heldBy = null;
  key.wasParked = false;
}

/** S12: exact: never more runs than the cap, never fewer while a key may start and neither gate nor pause holds it. */
function checkHeld(shard: Shard, line: Line, isCut: boolean, { now, seen }: Moment): void {
  const { concurrency } = line.options;
  if (line.isDeclared)
    must(`S12: ${line.running} keys of ${line.name} run, the cap is ${concurrency}`, line.running <= concurrency);
  const waits = dueOf(line, now.at);
  if (waits.length === 0) return;
  const [left] = headsOf(shard, line, now);
  if (isCut && left) seen("S20 what the most starts leave waits for the next step");
  else must(`S6, S8, S12: ${left?.keys[0]?.name} may start, and does not`, left === undefined);
  if (left) return;
  const holds = shard.holds(line);
  if (!line.isDeclared) seen("S17 a parked entry starts nothing, though it is due");
  else if (holds) {
    seen(`S12 ${holds} holds a key that may start`);
    for (const key of waits) key.heldBy = holds;
  } else if (line.pause) seen("S8 a pause holds a key that may start");
  else seen("S6 another lost key's run holds a key that may start");
}
