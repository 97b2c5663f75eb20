/**
 * The scheduler's rules, pure: `step(state, inputs, now, options)` says what changes and what starts. A driver has the
 * changes committed, applies them, answers and starts runs. The rule that a line of code keeps is named beside it. What
 * starts is in `start.ts`, whose turn it is in `turn.ts`, what holds a whole line in `pause.ts`.
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
import { type Entry, emptyEntry, type Lease, type Queue, queueOf, restored, wanted } from "./entry.ts";
import { lineOf, nameOf } from "./line.ts";
import type { LineName, Note } from "./notes.ts";
import { deleteParked, park } from "./park.ts";
import { answered, isOfTheKey, mayRunAllTheSame, paused, unanswered } from "./pause.ts";
import { asking, stillAsked } from "./revision.ts";
import { startDue } from "./start.ts";
import type { Decided, State } from "./state.ts";

/** Requeues below this are immediate; more than three in a row are spaced by it (S7). */
export const IMMEDIATE_MS = 1_000;
const IMMEDIATE_IN_A_ROW = 3;

/** A requeue or a retry of a live run that is due later than this waits in the resync lane (S11). */
const LIVE_WITHIN_MS = 60_000;

export type Input =
  | { type: "trigger"; ref: ObjectRef; reason: Reason; lane: Lane; revision?: string | undefined }
  | { type: "settle"; key: string; lease: string; answer: ReconcileAnswer }
  /** The run ended without an answer, or with one that makes no sense. */
  | { type: "lost"; key: string; lease: string; error: string }
  /** The process that the run was in has ended. */
  | { type: "crashed"; key: string; lease: string }
  /** An orderly stop cut the run off, or it was never sent. */
  | { type: "cut"; key: string; lease: string }
  | { type: "refuse"; key: string; lease: string; refusal: Refusal }
  | ({ type: "delete parked" } & LineName);

/** Logical time for what is due, monotonic time for leases (S18). */
export type Now = { at: number; monotonic: number };

export type StepOptions = {
  /** in [0, 1), for jitter. */
  random: () => number;
  leaseId: () => string;
  /** False while draining: nothing starts. */
  start: boolean;
  /** Most runs that this step may start; the rest stays due. Default: no limit. */
  mostStarts?: number;
};

export type Decision = Decided & {
  readonly starts: readonly ReconcileRequest[];
  readonly notes: readonly Note[];
  /** Which inputs are triggers of keys that the shard has no room for (S21). */
  readonly full: ReadonlySet<number>;
};

/** The answer in place of one that never came, or made no sense: it counts as a failure (S6). */
export function noAnswer(error: string): ReconcileAnswer {
  return { apiVersion: API_VERSION, outcome: "error", error };
}

export function step(state: State, inputs: readonly Input[], now: Now, options: StepOptions): Decision {
  const draft = new Draft(state, now.at);
  const context: Context = { state, draft, now: now.at, random: options.random };
  const full = new Set<number>();
  for (const [index, input] of inputs.entries()) {
    if (input.type === "delete parked") deleteParked(state, draft, lineOf(input));
    else if (input.type !== "trigger") endRun(context, input);
    else if (!trigger(context, input)) full.add(index);
  }
  noteFull(draft, inputs, full);
  endLeases(context, now.monotonic); // S5: after the answers that have arrived
  park(state, draft, now.at);
  const starts = options.start ? startDue(state, draft, now, options) : [];
  return Object.assign(draft, { starts, full });
}

type Context = { state: State; draft: Draft; now: number; random: () => number };
type TriggerInput = Extract<Input, { type: "trigger" }>;
type EndOfRun = Exclude<Input, { type: "trigger" | "delete parked" }>;

/** @returns false where it is a key that the shard has no room for (S21). */
function trigger({ state, draft, now }: Context, { ref, reason, lane, revision }: TriggerInput): boolean {
  const key = keyOf(ref);
  const known = draft.entry(key);
  if (!known && draft.isFull(key)) return false;
  const entry = known ?? remembered(state, ref, now);
  // S10: the window of an earlier trigger stands, for the earliest time wins.
  const due = now + optionsOf(state, ref).debounceMs;
  const next = wanted(entry, { due, reason, queue: queueOf(lane) }, now);
  const asked = asking(next.asked, revision, now);
  draft.change(key, asked === next.asked ? next : { ...next, asked });
  return true;
}

function noteFull(draft: Draft, inputs: readonly Input[], full: ReadonlySet<number>): void {
  const counts = new Map<string, number>();
  for (const index of full) {
    const line = lineOf((inputs[index] as TriggerInput).ref);
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  for (const [line, triggers] of counts) draft.notes.push({ type: "full", ...nameOf(line), triggers });
}

function endRun(context: Context, input: EndOfRun): void {
  const { state, draft, now } = context;
  const { key } = input;
  const entry = draft.entry(key);
  if (entry?.lease?.id !== input.lease || entry.lease.refused)
    draft.notes.push({ type: "late answer", key }); // S5
  else if (input.type === "settle")
    settle(draft, key, entry, input.answer, { ...at(context, entry), fresh: () => remembered(state, entry.ref, now) });
  else if (input.type === "lost") lose(draft, key, entry, input.error, at(context, entry));
  else if (input.type === "crashed") crash(draft, key, entry, at(context, entry));
  else if (input.type === "cut") restore(draft, key, entry, entry.lost);
  else refuse(draft, key, entry, input.refusal, at(context, entry));
}

/** S5: the run may go on where it is, and its answer is discarded from now on. */
function endLeases(context: Context, monotonic: number): void {
  const { state, draft } = context;
  for (const line of state.lines())
    for (const { key } of line.running.upTo(monotonic, line.running.size, () => false)) {
      const entry = draft.entry(key);
      if (!entry?.lease || entry.lease.id !== state.running().get(key)!.lease!.id) continue;
      if (entry.lease.refused) draft.change(key, { ...entry, lease: null });
      else if (state.inherited.has(key)) crash(draft, key, entry, at(context, entry));
      else {
        draft.notes.push({ type: "lease ended", ref: entry.ref });
        lose(draft, key, entry, "no answer before the lease ended", at(context, entry));
      }
    }
}

const at = ({ state, now, random }: Context, { ref }: Entry): Settling => ({
  now,
  scheduling: optionsOf(state, ref),
  random: random(),
});

const optionsOf = (state: State, ref: ObjectRef) => state.line(lineOf(ref)).options ?? UNDECLARED;

function settle(
  draft: Draft,
  key: string,
  entry: Entry,
  answer: ReconcileAnswer,
  at: Settling & { fresh: () => Entry },
): void {
  const line = lineOf(entry.ref);
  const pace = draft.pace(line);
  const next = answered(pace, entry);
  draft.paces.set(line, next);
  if (pace.pause && !next.pause) draft.notes.push({ type: "resumed", ...nameOf(line) });
  const left = settled(entry, answer, at);
  const asked = stillAsked(entry.asked, entry.lastStart!, answer.revision, at.now);
  if (!asked || answer.revision === undefined) draft.change(key, left && { ...left, asked });
  else
    draft.change(
      key,
      wanted({ ...(left ?? at.fresh()), asked }, { due: asked.from, reason: "bulk", queue: "bulk" }, at.now),
    ); // F7
}

function lose(draft: Draft, key: string, entry: Entry, error: string, at: Settling): void {
  const line = lineOf(entry.ref);
  draft.paces.set(line, unanswered(draft.pace(line), entry));
  draft.change(key, settled(entry, noAnswer(error), at));
}

/** S6: what ended the process may be a neighbour, so only a key that is lost twice in a row counts. */
function crash(draft: Draft, key: string, entry: Entry, at: Settling): void {
  const counted = entry.lost > 0;
  draft.notes.push({ type: "crashed", ref: entry.ref, counted });
  if (counted) {
    lose(draft, key, entry, "the process ended during the run", at);
    draft.change(key, { ...draft.entry(key)!, lost: entry.lost + 1 });
  } else restore(draft, key, entry, 1);
}

/** As if the run had never been, but for what came meanwhile. */
function restore(draft: Draft, key: string, entry: Entry, lost: number): void {
  const line = lineOf(entry.ref);
  draft.paces.set(line, unanswered(draft.pace(line), entry));
  draft.unstarted.add(key);
  draft.change(key, { ...restored(entry), lease: null, lost });
}

/** S8: the entry is restored whole and its line pauses; but what is the key's own trouble counts as its failure. */
function refuse(draft: Draft, key: string, entry: Entry, refusal: Refusal, at: Settling): void {
  const line = lineOf(entry.ref);
  const pace = draft.pace(line);
  const lease = mayRunAllTheSame(refusal) ? { ...entry.lease!, refused: true } : null;
  if (isOfTheKey(entry, pace, refusal)) {
    draft.notes.push({ type: "refused again", ref: entry.ref });
    draft.paces.set(line, unanswered(pace, entry));
    const failed = settled(entry, noAnswer("the function refused the run"), at)!;
    draft.change(key, { ...failed, lease, lost: entry.lost, refused: { at: at.now, pause: null } });
    return;
  }
  const pause = paused(pace, entry.lease!.id, refusal, at.now);
  draft.paces.set(line, { ...pace, pause });
  const { until, inARow } = pause;
  if (inARow !== pace.pause?.inARow)
    draft.notes.push({ type: "paused", ...nameOf(line), forMs: until - at.now, status: refusal.status ?? null });
  draft.unstarted.add(key);
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
  const clear: Entry = { ...rest, ...calm, lost: 0, ...(uid !== undefined && { uid }) };
  if (answer.outcome === "success" && "requeueAfterMs" in answer.action) {
    const delay = clamp(answer.action.requeueAfterMs);
    const inARow = delay < IMMEDIATE_MS ? entry.immediateRequeues + 1 : 0;
    const spaced = inARow > IMMEDIATE_IN_A_ROW ? entry.lastStart! + IMMEDIATE_MS : 0;
    const due = Math.max(at.now + delay, spaced);
    const want = { due, reason: "requeue", queue: laterQueue(entry.lease!, due - at.now) } as const;
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
  const base: Entry = {
    ...entry,
    lease: null,
    refused: null,
    lost: 0,
    immediateRequeues: 0,
    ...(uid !== undefined && { uid }),
  };
  const counted = lease.counts || recreated;
  const until = counted
    ? (asked ?? now + clamp(backoffMs(scheduling.backoff, attempt, random)))
    : Math.max(entry.backoffUntil!, asked ?? 0);
  const count = counted ? { attempt: attempt + 1, earlyFailures: 0 } : { earlyFailures: entry.earlyFailures + 1 };
  const want = { due: until, reason: "error-retry", queue: laterQueue(lease, until - now) } as const;
  return wanted({ ...base, ...count, backoffUntil: until }, want, now);
}

/** S11: overdue polls are no changes. */
const laterQueue = ({ queue }: Lease, delayMs: number): Queue =>
  queue === "live" && delayMs < LIVE_WITHIN_MS ? "live" : "timer";

/** S9. What is no number was refused where the answer was parsed. */
const clamp = (delayMs: number) => Math.min(MAX_DELAY_MS, Math.max(0, delayMs));

/** A run of a line that is no longer declared is still settled. */
const UNDECLARED: SchedulingOptions = schedulingOptions.parse({});
