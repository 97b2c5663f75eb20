/**
 * What starts in a step (S2, S6, S8, S11, S12, S19, S20). Pure, as the core is.
 * @module
 */
import { API_VERSION, type ReconcileRequest, type SchedulingOptions } from "../../functions/contract/index.ts";
import { type Candidates, candidatesOf } from "./candidates.ts";
import { letsStartOne } from "./capacity.ts";
import type { Now, StepOptions } from "./core.ts";
import type { Draft } from "./draft.ts";
import type { Entry, Lease, Queue } from "./entry.ts";
import { lostGateInMs } from "./lost.ts";
import { BUDGET_SPACING_MS, isOverBudget, startableAt } from "./place.ts";
import type { State } from "./state.ts";
import { headInTurn, LIVE_TO_ONE, leastRecent } from "./turn.ts";

/** A lease outlives its run's deadline by this, for the answer to arrive (S5). */
export const LEASE_GRACE_MS = 5_000;
const BUDGET_MEMORY_MS = 60_000;

type Head = { readonly from: Candidates; readonly queue: Queue; readonly served: number };

/** Starts what is due, one at a time; what is held stays as it is (S2: a running key too). */
export function startDue(state: State, draft: Draft, now: Now, options: StepOptions): ReconcileRequest[] {
  const starts: ReconcileRequest[] = [];
  const { mostStarts = Number.POSITIVE_INFINITY } = options;
  const { running: most } = state.limits;
  const look = () => candidatesOf(state, draft, { now: now.at, most: mostStarts - starts.length });
  let { all, running, idle } = look();
  let mayStartLost = lostGateInMs(draft.lost, (key) => draft.leaseOf(key), now.monotonic) === 0;
  while (starts.length < mostStarts) {
    const open = all.filter((one) => one.room > 0 && letsStartOne({ most, running, idle }, one.running));
    const lost = mayStartLost ? open.filter(({ hasLost }) => hasLost) : [];
    const heads = open.flatMap((from): Head[] =>
      from.queue ? [{ from, queue: from.queue, served: from.served }] : [],
    );
    const from =
      lost.length > 0 ? leastRecent(lost) : heads.length > 0 ? headInTurn(draft.turn, heads).from : undefined;
    if (!from) break;
    const key = lost.length > 0 ? from.lostKey : from.headOf(from.queue!);
    if (putOff(draft, key, from, now.at)) {
      ({ all, running, idle } = look());
      continue;
    }
    if (lost.length > 0) from.takeLost();
    else takeInTurn(draft, from, heads);
    const request = begin(state, draft, { key, from, now, options });
    mayStartLost &&= draft.lost?.lease !== request.lease;
    running++;
    if (from.running === 1) idle--;
    starts.push(request);
  }
  return starts;
}

/** Whether other options of its line make a key wait for longer than it was put down for: then it is nobody's turn. */
function putOff(draft: Draft, key: string, { options }: Candidates, now: number): boolean {
  const entry = draft.entry(key)!;
  const isEarly = startableAt(entry, options) > now;
  if (isEarly) draft.change(key, { ...entry });
  return isEarly;
}

/** Takes the head of a line, and notes whose turn it was (S11, S20). */
function takeInTurn(draft: Draft, from: Candidates, heads: readonly Head[]): void {
  const queue = from.queue!;
  const resyncWaits = heads.some((head) => head.queue !== "live");
  if (queue !== "live") draft.turn = { ...draft.turn, passed: 0 };
  else if (resyncWaits) draft.turn = { ...draft.turn, passed: Math.min(LIVE_TO_ONE, draft.turn.passed + 1) };
  from.take(queue);
}

type Beginning = { key: string; from: Candidates; now: Now; options: StepOptions };

function begin(state: State, draft: Draft, { key, from, now, options }: Beginning): ReconcileRequest {
  const entry = draft.entry(key)!;
  const startsInAMinute = state.startsWithinAMinute(key, now.at, draft.unstarted) + 1;
  const running = started(entry, now.at, from.options, options.leaseId(), startsInAMinute);
  const lease = running.lease!;
  draft.entries.set(key, running);
  if (running.overBudgetUntil !== null && !isOverBudget(entry, now.at))
    draft.notes.push({ type: "over budget", ref: entry.ref, reasons: entry.reasons });
  if (entry.lost > 0) draft.lost = { key, lease: lease.id, startedAt: now.monotonic, isAlone: entry.lost > 1 };
  draft.turn = { ...draft.turn, served: draft.turn.served + 1 };
  const { pause } = from.pace;
  from.pace = { ...from.pace, served: draft.turn.served, pause: pause && { ...pause, probe: lease.id } };
  draft.paces.set(from.line.name, from.pace);
  from.running++;
  from.room--;
  return requestOf(entry, lease, from.options);
}

function started(entry: Entry, now: number, scheduling: SchedulingOptions, id: string, startsInAMinute: number): Entry {
  const held = isOverBudget(entry, now) && entry.due! < entry.lastStart! + BUDGET_SPACING_MS;
  const over = startsInAMinute >= scheduling.startsPerMinute || held ? now + BUDGET_MEMORY_MS : entry.overBudgetUntil;
  const { due, liveSince, reasons, lastStart, overBudgetUntil, uid, attempt, queue } = entry;
  const lease: Lease = {
    id,
    until: now + scheduling.deadlineMs + LEASE_GRACE_MS,
    counts: entry.backoffUntil === null || now >= entry.backoffUntil, // S6: whatever woke it
    attempt,
    ...(uid !== undefined && { uid }),
    queue,
    before: { due, liveSince, reasons, lastStart, overBudgetUntil },
    refused: false,
  };
  return {
    ...{ ...entry, due: null, queue: "bulk", liveSince: null, reasons: [], lastStart: now, lease, writtenAt: now },
    overBudgetUntil: over !== null && over > now ? over : null,
  };
}

function requestOf(entry: Entry, lease: Lease, scheduling: SchedulingOptions): ReconcileRequest {
  return {
    apiVersion: API_VERSION,
    key: entry.ref,
    ...(entry.uid !== undefined && { uid: entry.uid }),
    reasons: [...entry.reasons],
    attempt: entry.attempt,
    counts: lease.counts,
    lease: lease.id,
    deadlineMs: scheduling.deadlineMs,
  };
}
