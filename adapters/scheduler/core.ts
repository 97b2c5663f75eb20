/**
 * The scheduler's rules, pure: `step(state, inputs, now, options)` says what changes and what starts. A driver commits the
 * changes first and only then applies them, answers and starts runs. The rule that a line keeps is named beside it.
 *
 * An entry waits (due, no lease), runs (lease), or runs with something waiting behind it (lease and due).
 * @module
 */
import {
  API_VERSION,
  type BackoffOptions,
  backoffMs,
  keyOf,
  type Lane,
  MAX_DELAY_MS,
  type ObjectRef,
  type Reason,
  type ReconcileAnswer,
  type ReconcileRequest,
  type SchedulingOptions,
  schedulingOptions,
} from "../../functions/contract/index.ts";
import { type Entry, emptyEntry, type Lease } from "./entry.ts";
import { asking, stillAsked } from "./revision.ts";
import type { Changes, State } from "./state.ts";

/** A lease outlives its run's deadline by this, for the answer to arrive (S5). */
export const LEASE_GRACE_MS = 5_000;
/** Requeues below this are immediate; more than three in a row are spaced by it (S7). */
export const IMMEDIATE_MS = 1_000;
const IMMEDIATE_IN_A_ROW = 3;
/** Over its budget a key starts once in this time, until a minute has passed without need for it (S19). */
export const BUDGET_SPACING_MS = 5_000;
const BUDGET_MEMORY_MS = 60_000;

export type Input =
  | { type: "trigger"; ref: ObjectRef; reason: Reason; lane: Lane; revision?: string | undefined }
  | { type: "settle"; key: string; lease: string; answer: ReconcileAnswer };

/** Logical time for what is due, monotonic time for leases (S18). */
export type Now = { at: number; monotonic: number };

export type StepOptions = {
  /** in [0, 1), for jitter. */
  random: () => number;
  leaseId: () => string;
  /** False while draining: nothing starts. */
  start: boolean;
};

export type Note =
  | { type: "over budget"; ref: ObjectRef; reasons: readonly Reason[] }
  | { type: "lease ended"; ref: ObjectRef }
  | { type: "late answer"; key: string };

export type Decision = {
  changes: Changes;
  starts: ReconcileRequest[];
  notes: Note[];
};

/** The answer in place of one that never came, or made no sense: it counts as a failure (S6). */
export function noAnswer(error: string): ReconcileAnswer {
  return { apiVersion: API_VERSION, outcome: "error", error };
}

export function step(state: State, inputs: readonly Input[], now: Now, options: StepOptions): Decision {
  const changes = new Map<string, Entry | null>();
  const notes: Note[] = [];
  const entryOf = (key: string): Entry | null =>
    changes.has(key) ? changes.get(key)! : (state.entries.get(key) ?? null);
  const change = (key: string, entry: Entry | null) => {
    if (entry !== entryOf(key)) changes.set(key, entry && { ...entry, writtenAt: now.at });
  };

  const settle = (key: string, entry: Entry, answer: ReconcileAnswer) => {
    const scheduling = state.controllers.get(entry.ref.controller) ?? UNDECLARED;
    const left = settled(entry, answer, { now: now.at, scheduling, random: options.random() });
    const asked = stillAsked(entry.asked, entry.lastStart!, answer.revision, now.at);
    if (!asked || answer.revision === undefined) change(key, left && { ...left, asked });
    else {
      const again = { ...(left ?? remembered(state, entry.ref, now.at)), asked };
      change(key, wanted(again, asked.from, "bulk", "resync")); // F7
    }
  };

  for (const queue of state.leases())
    for (const key of queue.upTo(now.monotonic, queue.size, () => false)) {
      const entry = entryOf(key)!;
      notes.push({ type: "lease ended", ref: entry.ref });
      settle(key, entry, noAnswer("no answer before the lease ended"));
    }
  for (const input of inputs) {
    const key = input.type === "trigger" ? keyOf(input.ref) : input.key;
    const entry = entryOf(key);
    if (input.type === "trigger") {
      // S10: the window of an earlier trigger stands, for the earliest time wins.
      const due = now.at + (state.controllers.get(input.ref.controller)?.debounceMs ?? 0);
      const known = wanted(entry ?? remembered(state, input.ref, now.at), due, input.reason, input.lane);
      const asked = asking(known.asked, input.revision, now.at);
      change(key, asked === known.asked ? known : { ...known, asked });
    } else if (entry?.lease?.id === input.lease) settle(key, entry, input.answer);
    else notes.push({ type: "late answer", key }); // S5
  }
  const starts = options.start ? startDue(state, changes, now, options, notes) : [];
  return { changes, starts, notes };
}

/** A fresh entry that still knows how often its key ran within the last minute (S19). */
function remembered(state: State, ref: ObjectRef, now: number): Entry {
  const recent = state.recent(keyOf(ref), now);
  return {
    ...emptyEntry(ref),
    ...(recent && { lastStart: recent.lastStart, overBudgetUntil: recent.overBudgetUntil }),
  };
}

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

type Changed = Map<string, Entry | null>;

/** Starts what is due, within each controller's concurrency (S12); what is held stays as it is (S2: a running key too). */
function startDue(state: State, changes: Changed, now: Now, options: StepOptions, notes: Note[]): ReconcileRequest[] {
  const starts: ReconcileRequest[] = [];
  for (const [controller, scheduling] of state.controllers) {
    let free = scheduling.concurrency - state.running(controller) + ended(state, changes, controller);
    const waiting: [string, Entry][] = [];
    for (const key of state.due(controller)!.upTo(now.at, Math.max(0, free), (key) => changes.has(key)))
      waiting.push([key, state.entries.get(key)!]);
    for (const [key, entry] of changes)
      if (entry?.ref.controller === controller && !entry.lease && startableAt(entry, scheduling) <= now.at)
        waiting.push([key, entry]);
    waiting.sort(([, a], [, b]) => startableAt(a, scheduling) - startableAt(b, scheduling));
    for (const [key, entry] of waiting) {
      if (free-- <= 0) break;
      const startsInAMinute = (state.recent(key, now.at)?.count ?? 0) + 1;
      const running = started(entry, now.at, scheduling, options.leaseId(), startsInAMinute);
      changes.set(key, running);
      starts.push(requestOf(entry, running.lease!, scheduling));
      if (running.overBudgetUntil !== null && !isOverBudget(entry, now.at))
        notes.push({ type: "over budget", ref: entry.ref, reasons: entry.reasons });
    }
  }
  return starts;
}

/** How many of a controller's running keys this step has settled. */
function ended(state: State, changes: Changes, controller: string): number {
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
  };
  return {
    ...{ ...entry, due: null, lane: "resync", reasons: [], lastStart: now, lease, writtenAt: now },
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

type Settling = { now: number; scheduling: SchedulingOptions; random: number };

/** What is left of an entry once its run was answered: null where nothing is (S7, S13). */
function settled(entry: Entry, answer: ReconcileAnswer, at: Settling): Entry | null {
  if (answer.outcome === "error") return failed(entry, entry.lease!, answer, at);
  const { uid: before, ...rest } = entry;
  const uid = answer.outcome === "gone" ? undefined : (answer.observed?.uid ?? before); // S13: nothing of a gone key
  const calm = { lease: null, attempt: 0, backoffUntil: null, earlyFailures: 0, immediateRequeues: 0 };
  const clear: Entry = { ...rest, ...calm, ...(uid !== undefined && { uid }) };
  if (answer.outcome === "success" && "requeueAfterMs" in answer.action) {
    const delay = clamp(answer.action.requeueAfterMs);
    const inARow = delay < IMMEDIATE_MS ? entry.immediateRequeues + 1 : 0;
    const spaced = inARow > IMMEDIATE_IN_A_ROW ? entry.lastStart! + IMMEDIATE_MS : 0;
    return wanted({ ...clear, immediateRequeues: inARow }, Math.max(at.now + delay, spaced), "requeue", "live");
  }
  return clear.due === null ? null : clear; // S2, S13: a trigger that came during the run is kept
}

type Failure = Extract<ReconcileAnswer, { outcome: "error" }>;

/** S6, S7: a run that counts moves the count and the backoff, an early one only makes early runs rarer. */
function failed(entry: Entry, lease: Lease, answer: Failure, { now, scheduling, random }: Settling): Entry {
  const seen = answer.observed?.uid;
  const recreated = seen !== undefined && lease.uid !== undefined && seen !== lease.uid; // S13: a first failure
  const attempt = recreated ? 0 : lease.attempt;
  const asked = answer.retryAfterMs === undefined ? undefined : now + clamp(answer.retryAfterMs);
  const uid = seen ?? entry.uid;
  const base: Entry = { ...entry, lease: null, immediateRequeues: 0, ...(uid !== undefined && { uid }) };
  const counted = lease.counts || recreated;
  const until = counted
    ? (asked ?? now + clamp(backoffMs(scheduling.backoff, attempt, random)))
    : Math.max(entry.backoffUntil!, asked ?? 0);
  const count = counted ? { attempt: attempt + 1, earlyFailures: 0 } : { earlyFailures: entry.earlyFailures + 1 };
  return wanted({ ...base, ...count, backoffUntil: until }, until, "error-retry", lease.lane);
}

/** S1: the earliest due time, the live lane if either is live, the union of reasons. The same entry where nothing moves. */
function wanted(entry: Entry, due: number, reason: Reason, lane: Lane): Entry {
  const next = {
    due: earliest(entry.due, due),
    lane: entry.lane === "live" ? "live" : lane,
    reasons: union(entry.reasons, reason),
  } as const;
  return next.due === entry.due && next.lane === entry.lane && next.reasons === entry.reasons
    ? entry
    : { ...entry, ...next };
}

/**
 * S4: milliseconds until the first entry that time alone holds, or the end of the first lease; null without either.
 * @param start false while draining: nothing starts, so that only leases end.
 */
export function wakeInMs(state: State, now: Now, start = true): number | null {
  let wake = Number.POSITIVE_INFINITY;
  const look = (first: { at: number } | undefined, clock: number) => {
    if (first) wake = Math.min(wake, first.at - clock);
  };
  for (const [controller, { concurrency }] of state.controllers)
    if (start && state.running(controller) < concurrency) look(state.due(controller)!.first(), now.at);
  for (const queue of state.leases()) look(queue.first(), now.monotonic);
  return wake === Number.POSITIVE_INFINITY ? null : Math.max(0, Math.ceil(wake));
}

/** S9. What is no number was refused where the answer was parsed. */
const clamp = (delayMs: number) => Math.min(MAX_DELAY_MS, Math.max(0, delayMs));
const earliest = (a: number | null, b: number) => (a === null ? b : Math.min(a, b));
const union = (reasons: readonly Reason[], reason: Reason) =>
  reasons.includes(reason) ? reasons : [...reasons, reason];

/** A run of a controller that is no longer declared is still settled. */
const UNDECLARED: SchedulingOptions = schedulingOptions.parse({});
