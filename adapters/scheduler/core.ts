/**
 * The scheduler's rules, pure: `step(state, inputs, now, options)` says what changes and what starts. A driver commits the
 * changes first and only then applies them, answers and starts runs. The rule that a line keeps is named beside it. What
 * starts is in `start.ts`, what holds a whole controller in `pause.ts`.
 *
 * An entry waits (due, no lease), runs (lease), or runs with something waiting behind it (lease and due).
 * @module
 */
import {
  API_VERSION,
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
import type { Refusal } from "../../functions/ports/index.ts";
import { Draft } from "./draft.ts";
import { type Entry, emptyEntry, type Lease, restored, wanted } from "./entry.ts";
import { LANES } from "./lanes.ts";
import { answered, isOfTheKey, mayRunAllTheSame, paused, startsAgainAt, unanswered } from "./pause.ts";
import { asking, stillAsked } from "./revision.ts";
import { startDue } from "./start.ts";
import type { Decided, State } from "./state.ts";

/** Requeues below this are immediate; more than three in a row are spaced by it (S7). */
export const IMMEDIATE_MS = 1_000;
const IMMEDIATE_IN_A_ROW = 3;

export type Input =
  | { type: "trigger"; ref: ObjectRef; reason: Reason; lane: Lane; revision?: string | undefined }
  | { type: "settle"; key: string; lease: string; answer: ReconcileAnswer }
  /** The run ended without an answer, or with one that makes no sense. */
  | { type: "lost"; key: string; lease: string; error: string }
  | { type: "refuse"; key: string; lease: string; refusal: Refusal }
  | { type: "delete parked"; controller: string };

/** Logical time for what is due, monotonic time for leases (S18). */
export type Now = { at: number; monotonic: number };

export type StepOptions = {
  /** in [0, 1), for jitter. */
  random: () => number;
  leaseId: () => string;
  /** False while draining: nothing starts. */
  start: boolean;
  /** Most runs that this step may start; what waits longest comes first, and the rest stays due. Default: no limit. */
  mostStarts?: number;
};

/** What someone should hear of, beside what changes. */
export type Note =
  | { type: "over budget"; ref: ObjectRef; reasons: readonly Reason[] }
  | { type: "lease ended"; ref: ObjectRef }
  | { type: "late answer"; key: string }
  | { type: "refused again"; ref: ObjectRef }
  | { type: "paused"; controller: string; forMs: number; status: number | null }
  | { type: "resumed"; controller: string }
  | { type: "parked" | "deleted"; controller: string; entries: number };

export type Decision = Decided & { starts: ReconcileRequest[]; notes: readonly Note[] };

/** The answer in place of one that never came, or made no sense: it counts as a failure (S6). */
export function noAnswer(error: string): ReconcileAnswer {
  return { apiVersion: API_VERSION, outcome: "error", error };
}

export function step(state: State, inputs: readonly Input[], now: Now, options: StepOptions): Decision {
  const draft = new Draft(state, now.at);
  const at = (entry: Entry): Settling => ({
    now: now.at,
    scheduling: state.controllers.get(entry.ref.controller) ?? UNDECLARED,
    random: options.random(),
  });
  draft.park();
  for (const queue of state.leases())
    for (const key of queue.upTo(now.monotonic, queue.size, () => false)) {
      const entry = draft.entry(key)!;
      if (entry.lease!.refused) draft.change(key, { ...entry, lease: null });
      else {
        draft.notes.push({ type: "lease ended", ref: entry.ref });
        lose(draft, key, entry, "no answer before the lease ended", at(entry));
      }
    }
  for (const input of inputs) {
    if (input.type === "delete parked") draft.deleteParked(input.controller);
    else if (input.type === "trigger") {
      const { ref, reason, lane } = input;
      // S10: the window of an earlier trigger stands, for the earliest time wins.
      const due = now.at + (state.controllers.get(ref.controller)?.debounceMs ?? 0);
      const entry = draft.entry(keyOf(ref)) ?? remembered(state, ref, now.at);
      const known = wanted(entry, { due, reason, lane }, now.at);
      const asked = asking(known.asked, input.revision, now.at);
      draft.change(keyOf(ref), asked === known.asked ? known : { ...known, asked });
    } else {
      const { key } = input;
      const entry = draft.entry(key);
      if (entry?.lease?.id !== input.lease || entry.lease.refused)
        draft.notes.push({ type: "late answer", key }); // S5
      else if (input.type === "settle")
        settle(draft, key, entry, input.answer, { ...at(entry), fresh: () => remembered(state, entry.ref, now.at) });
      else if (input.type === "lost") lose(draft, key, entry, input.error, at(entry));
      else refuse(draft, key, entry, input.refusal, at(entry));
    }
  }
  const starts = options.start ? startDue(state, draft, now, options) : [];
  return { changes: draft.changes, paces: draft.paces, starts, notes: draft.notes };
}

function settle(
  draft: Draft,
  key: string,
  entry: Entry,
  answer: ReconcileAnswer,
  at: Settling & { fresh: () => Entry },
): void {
  const { controller } = entry.ref;
  const pace = draft.pace(controller);
  const next = answered(pace, entry);
  draft.paces.set(controller, next);
  if (pace.pause && !next.pause) draft.notes.push({ type: "resumed", controller });
  const left = settled(entry, answer, at);
  const asked = stillAsked(entry.asked, entry.lastStart!, answer.revision, at.now);
  if (!asked || answer.revision === undefined) draft.change(key, left && { ...left, asked });
  else
    draft.change(
      key,
      wanted({ ...(left ?? at.fresh()), asked }, { due: asked.from, reason: "bulk", lane: "resync" }, at.now),
    ); // F7
}

function lose(draft: Draft, key: string, entry: Entry, error: string, at: Settling): void {
  draft.paces.set(entry.ref.controller, unanswered(draft.pace(entry.ref.controller), entry));
  draft.change(key, settled(entry, noAnswer(error), at));
}

/** S8: the entry is restored whole and its controller pauses; but what is the key's own trouble counts as its failure. */
function refuse(draft: Draft, key: string, entry: Entry, refusal: Refusal, at: Settling): void {
  const { controller } = entry.ref;
  const pace = draft.pace(controller);
  const lease = mayRunAllTheSame(refusal) ? { ...entry.lease!, refused: true } : null;
  if (isOfTheKey(entry, pace, refusal)) {
    draft.notes.push({ type: "refused again", ref: entry.ref });
    draft.paces.set(controller, unanswered(pace, entry));
    const failed = settled(entry, noAnswer("the function refused the run"), at)!;
    draft.change(key, { ...failed, lease, refused: { at: at.now, pause: null } });
    return;
  }
  const pause = paused(pace, entry.lease!.id, refusal, at.now);
  draft.paces.set(controller, { ...pace, pause });
  const { until, inARow } = pause;
  if (inARow !== pace.pause?.inARow)
    draft.notes.push({ type: "paused", controller, forMs: until - at.now, status: refusal.status ?? null });
  draft.change(key, { ...restored(entry), lease, refused: { at: at.now, pause: { until, inARow } } });
}

/** A fresh entry that still knows how often its key ran within the last minute (S19). */
function remembered(state: State, ref: ObjectRef, now: number): Entry {
  const recent = state.recent(keyOf(ref), now);
  return {
    ...emptyEntry(ref),
    ...(recent && { lastStart: recent.lastStart, overBudgetUntil: recent.overBudgetUntil }),
  };
}

type Settling = { now: number; scheduling: SchedulingOptions; random: number };

/** What is left of an entry once its run was answered: null where nothing is (S7, S13). */
function settled(entry: Entry, answer: ReconcileAnswer, at: Settling): Entry | null {
  if (answer.outcome === "error") return failed(entry, entry.lease!, answer, at);
  const { uid: before, ...rest } = entry;
  const uid = answer.outcome === "gone" ? undefined : (answer.observed?.uid ?? before); // S13: nothing of a gone key
  const calm = { lease: null, refused: null, attempt: 0, backoffUntil: null, earlyFailures: 0, immediateRequeues: 0 };
  const clear: Entry = { ...rest, ...calm, ...(uid !== undefined && { uid }) };
  if (answer.outcome === "success" && "requeueAfterMs" in answer.action) {
    const delay = clamp(answer.action.requeueAfterMs);
    const inARow = delay < IMMEDIATE_MS ? entry.immediateRequeues + 1 : 0;
    const spaced = inARow > IMMEDIATE_IN_A_ROW ? entry.lastStart! + IMMEDIATE_MS : 0;
    const want = { due: Math.max(at.now + delay, spaced), reason: "requeue", lane: "live" } as const;
    return wanted({ ...clear, immediateRequeues: inARow }, want, at.now);
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
  const base: Entry = { ...entry, lease: null, refused: null, immediateRequeues: 0, ...(uid !== undefined && { uid }) };
  const counted = lease.counts || recreated;
  const until = counted
    ? (asked ?? now + clamp(backoffMs(scheduling.backoff, attempt, random)))
    : Math.max(entry.backoffUntil!, asked ?? 0);
  const count = counted ? { attempt: attempt + 1, earlyFailures: 0 } : { earlyFailures: entry.earlyFailures + 1 };
  const want = { due: until, reason: "error-retry", lane: lease.lane } as const;
  return wanted({ ...base, ...count, backoffUntil: until }, want, now);
}

/**
 * S4: milliseconds until the first entry that time alone holds may start, the end of the first lease, or of the time of the
 * first parked entry; null without any of them.
 * @param start false while draining: nothing starts, so that only leases end.
 */
export function wakeInMs(state: State, now: Now, start = true): number | null {
  let wake = Number.POSITIVE_INFINITY;
  const look = (first: { at: number } | undefined, clock: number, notBefore = Number.NEGATIVE_INFINITY) => {
    if (first) wake = Math.min(wake, Math.max(first.at, notBefore) - clock);
  };
  for (const [controller, { concurrency }] of state.controllers) {
    if (!start || state.running(controller) >= concurrency) continue;
    const pauseEnd = startsAgainAt(state.pace(controller).pause);
    for (const lane of LANES) look(state.line(controller, lane).first(), now.at, pauseEnd);
  }
  if (start) look(state.parked.first(), now.at);
  for (const queue of state.leases()) look(queue.first(), now.monotonic);
  return wake === Number.POSITIVE_INFINITY ? null : Math.max(0, Math.ceil(wake));
}

/** S9. What is no number was refused where the answer was parsed. */
const clamp = (delayMs: number) => Math.min(MAX_DELAY_MS, Math.max(0, delayMs));

/** A run of a controller that is no longer declared is still settled. */
const UNDECLARED: SchedulingOptions = schedulingOptions.parse({});
