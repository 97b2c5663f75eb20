/**
 * What starts in a step, and when (S2, S6, S11, S12, S19). Pure, as the core is.
 * @module
 */
import {
  API_VERSION,
  type BackoffOptions,
  type Lane,
  type ReconcileRequest,
  type SchedulingOptions,
} from "../../functions/contract/index.ts";
import type { Now, StepOptions } from "./core.ts";
import type { Draft } from "./draft.ts";
import type { Entry, Lease } from "./entry.ts";
import { inTurn, LANES } from "./lanes.ts";
import { letsStart } from "./pause.ts";
import type { State } from "./state.ts";

/** A lease outlives its run's deadline by this, for the answer to arrive (S5). */
export const LEASE_GRACE_MS = 5_000;
/** Over its budget a key starts once in this time, until a minute has passed without need for it (S19). */
export const BUDGET_SPACING_MS = 5_000;
const BUDGET_MEMORY_MS = 60_000;

/** When an entry may start: when it is due, but for the spacing of early runs (S6) and of keys over budget (S19). */
export function startableAt(entry: Entry, { backoff }: Pick<SchedulingOptions, "backoff">): number {
  let at = entry.due ?? Number.POSITIVE_INFINITY;
  if (entry.lastStart === null) return at;
  if (entry.backoffUntil !== null && at < entry.backoffUntil)
    at = Math.min(entry.backoffUntil, Math.max(at, entry.lastStart + earlySpacing(backoff, entry.earlyFailures)));
  if (isOverBudget(entry, at)) at = Math.max(at, entry.lastStart + BUDGET_SPACING_MS);
  return at;
}

const earlySpacing = (backoff: BackoffOptions, failures: number) =>
  Math.min(backoff.maxMs, backoff.baseMs * 2 ** failures);
const isOverBudget = (entry: Entry, at: number) => entry.overBudgetUntil !== null && at < entry.overBudgetUntil;

/** Its place in its lane: a key that turned live is behind those that were live already (S11). */
export function placeOf(entry: Entry, scheduling: SchedulingOptions): number {
  return Math.max(startableAt(entry, scheduling), entry.liveSince ?? Number.NEGATIVE_INFINITY);
}

/** Starts what is due, within each controller's concurrency (S12); what is held stays as it is (S2: a running key too). */
export function startDue(state: State, draft: Draft, now: Now, options: StepOptions): ReconcileRequest[] {
  const starts: ReconcileRequest[] = [];
  const { mostStarts = Number.POSITIVE_INFINITY } = options;
  for (const [controller, scheduling] of byWaiting(state)) {
    const pace = draft.pace(controller);
    const free = scheduling.concurrency - state.running(controller) + ended(state, draft.changes, controller);
    const room = Math.min(free, letsStart(pace.pause, now.at), mostStarts - starts.length);
    if (room <= 0) continue;
    const { order, passed } = inTurn(waiting(state, draft, controller, room, now.at), room, pace.passed);
    for (const [key, entry] of order) {
      const startsInAMinute = (state.recent(key, now.at)?.count ?? 0) + 1;
      const running = started(entry, now.at, scheduling, options.leaseId(), startsInAMinute);
      draft.changes.set(key, running);
      starts.push(requestOf(entry, running.lease!, scheduling));
      if (running.overBudgetUntil !== null && !isOverBudget(entry, now.at))
        draft.notes.push({ type: "over budget", ref: entry.ref, reasons: entry.reasons });
    }
    const probe = starts.at(-1)?.lease ?? null;
    if (order.length > 0)
      draft.paces.set(controller, { ...pace, passed, pause: pace.pause && { ...pace.pause, probe } });
  }
  return starts;
}

/** The controllers, the one whose first key has waited longest first, so that a limit on all of them starves none. */
function byWaiting(state: State): [string, SchedulingOptions][] {
  const firstAt = (controller: string) =>
    Math.min(...LANES.map((lane) => state.line(controller, lane).first()?.at ?? Number.POSITIVE_INFINITY));
  return [...state.controllers].sort(([a], [b]) => (firstAt(a) < firstAt(b) ? -1 : firstAt(a) > firstAt(b) ? 1 : 0));
}

type Waiting = [key: string, entry: Entry];

/**
 * The first keys of each lane that may start, each lane in its order. While one has to probe (S8) a key that was not refused
 * comes first; where there is none, the one that was refused the longest ago.
 */
function waiting(state: State, draft: Draft, controller: string, room: number, now: number): Record<Lane, Waiting[]> {
  const scheduling = state.controllers.get(controller)!;
  const mayStart = (entry: Entry) => startableAt(entry, scheduling) <= now;
  const changed: Waiting[] = [];
  for (const [key, entry] of draft.changes)
    if (entry?.ref.controller === controller && !entry.lease && mayStart(entry)) changed.push([key, entry]);
  const unchanged = (keys: string[]) => keys.map((key): Waiting => [key, state.entries.get(key)!]);
  const isChanged = (key: string) => draft.changes.has(key);

  const probes = draft.pace(controller).pause !== null;
  const isOther = (entry: Entry) => !probes || entry.refused === null;
  const ofLane = (lane: Lane): Waiting[] => {
    const skip = (key: string) => isChanged(key) || !isOther(state.entries.get(key)!);
    const line = unchanged(state.line(controller, lane).upTo(now, room, skip));
    const joined = line.concat(changed.filter(([, entry]) => entry.lane === lane && isOther(entry)));
    return joined.sort(([, a], [, b]) => placeOf(a, scheduling) - placeOf(b, scheduling));
  };
  const others = { live: ofLane("live"), resync: ofLane("resync") };
  if (!probes || others.live.length + others.resync.length > 0) return others;

  const skip = (key: string) => isChanged(key) || !mayStart(state.entries.get(key)!);
  const refused = [...unchanged(state.refused(controller).upTo(now, 1, skip)), ...changed];
  const [longestAgo] = refused.sort(([, a], [, b]) => a.refused!.at - b.refused!.at);
  return { live: longestAgo ? [longestAgo] : [], resync: [] };
}

/** How many of a controller's running keys this step has settled. */
function ended(state: State, changes: ReadonlyMap<string, Entry | null>, controller: string): number {
  let count = 0;
  for (const [key, entry] of changes) {
    const before = state.entries.get(key);
    if (before?.ref.controller === controller && before.lease && !entry?.lease) count++;
  }
  return count;
}

function started(entry: Entry, now: number, scheduling: SchedulingOptions, id: string, startsInAMinute: number): Entry {
  const held = isOverBudget(entry, now) && entry.due! < entry.lastStart! + BUDGET_SPACING_MS;
  const over = startsInAMinute >= scheduling.startsPerMinute || held ? now + BUDGET_MEMORY_MS : entry.overBudgetUntil;
  const lease: Lease = {
    id,
    until: now + scheduling.deadlineMs + LEASE_GRACE_MS,
    counts: entry.backoffUntil === null || now >= entry.backoffUntil, // S6: whatever woke it
    attempt: entry.attempt,
    ...(entry.uid !== undefined && { uid: entry.uid }),
    lane: entry.lane,
    before: {
      due: entry.due,
      liveSince: entry.liveSince,
      reasons: entry.reasons,
      lastStart: entry.lastStart,
      overBudgetUntil: entry.overBudgetUntil,
    },
    refused: false,
  };
  return {
    ...{ ...entry, due: null, lane: "resync", liveSince: null, reasons: [], lastStart: now, lease, writtenAt: now },
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
