import { heldLease, holderOf, type Lease, type LeaseName, releasedLease } from "./lease.ts";

/**
 * Leader election by a Lease as a state machine (R10). Pure: it is told what the API server answered, and says what to ask
 * next; one request is under way at a time.
 *
 * Whoever leads does so until `renewDeadlineMs` after it began the last renewal that was answered; whoever does not takes
 * the Lease once it saw no change of it for the holder's `leaseDurationSeconds`, by its own monotonic clock. The first is
 * shorter and begins earlier, so no two believe that they lead, however clocks are set and answers are late. Writes carry
 * the resourceVersion that was read: of two who take it at once, one is refused.
 * @module
 */

export type ElectionTimes = {
  /** How long others wait for a leader that says nothing. Whole seconds. */
  leaseDurationMs: number;
  /** How long a leader goes on without an answer. */
  renewDeadlineMs: number;
  /** Between two looks at the Lease, or two renewals. */
  retryPeriodMs: number;
};

/** client-go's. */
export const ELECTION_TIMES: ElectionTimes = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 };
/** By how much of it the waits of those who do not lead are spread, so that they do not ask in step. */
export const RETRY_JITTER = 0.25;

export type ElectionRules = ElectionTimes & {
  lease: LeaseName;
  /** Another one for each process, or two would take themselves for one. */
  identity: string;
};

export type ElectionState = Readonly<{
  /** What is under way; answers to anything else are ignored. */
  task: "none" | "get" | "write" | "wait" | "done";
  askedAtMs: number;
  /** As it was seen last; absent before that, and where there is none. */
  lease?: Lease | undefined;
  /** Since when no change of it was seen. */
  unchangedSinceMs: number;
  /** Whether it may be written without another look: nothing went wrong since it was read. */
  current: boolean;
  /** See {@link isLeading}, which also asks what time it is. */
  leads: boolean;
  /** When the last renewal that was answered began. */
  renewedAtMs: number;
  stopping: boolean;
  /** Why the API server cannot be asked. */
  error?: string | undefined;
}>;

export type ElectionInput =
  | { is: "start" }
  | { is: "found"; lease: Lease }
  | { is: "absent" }
  /** What was written, as the API server has it. */
  | { is: "written"; lease: Lease }
  /** It was not written, since somebody else wrote before. */
  | { is: "conflict" }
  /** No answer, or one that says nothing of the Lease. */
  | { is: "failed"; message: string }
  /** A wait is over. */
  | { is: "waited" }
  /** Time has passed: see {@link leadsUntil}. */
  | { is: "tick" }
  /** Give it up, so that the next one need not wait. */
  | { is: "stop" };

export type ElectionEffect =
  | { do: "get" }
  /** With a resourceVersion an update, without one a creation. */
  | { do: "write"; lease: Lease }
  | { do: "wait"; ms: number }
  | { do: "lead" }
  | { do: "follow" }
  /** Nothing more follows: the Lease is given up, or was not held. */
  | { do: "done" };

export const initialElection: ElectionState = {
  task: "none",
  askedAtMs: 0,
  unchangedSinceMs: 0,
  current: false,
  leads: false,
  renewedAtMs: 0,
  stopping: false,
};

/** `nowMs` is of the monotonic clock, `wallMs` of the wall clock: for people to read, never compared. `random` in [0, 1). */
type At = { nowMs: number; wallMs: number; random: number };
type Stepped = [ElectionState, ElectionEffect[]];

/** Whether it leads at this instant: also right where time has passed unnoticed, as in a process that was stopped. */
export function isLeading(state: ElectionState, rules: ElectionRules, nowMs: number): boolean {
  return state.leads && nowMs < leadsUntil(state, rules);
}

/** Until when a leader leads unless it renews, on the monotonic clock: a tick is due then. */
export function leadsUntil({ renewedAtMs }: ElectionState, { renewDeadlineMs }: ElectionRules): number {
  return renewedAtMs + renewDeadlineMs;
}

/** What follows from an input. */
export function stepElection(before: ElectionState, input: ElectionInput, rules: ElectionRules, at: At): Stepped {
  const ended = before.leads && !isLeading(before, rules, at.nowMs);
  const state = ended ? { ...before, leads: false } : before;
  const [next, effects] = answered(state, input, rules, at);
  // Renewed by an answer that came late, it has led on: nobody else can have.
  if (before.leads === next.leads) return [next, effects];
  return [next, [{ do: next.leads ? "lead" : "follow" }, ...effects]];
}

function answered(state: ElectionState, input: ElectionInput, rules: ElectionRules, at: At): Stepped {
  switch (input.is) {
    case "start":
      return state.task === "none" ? look(state, at) : [state, []];
    case "waited":
      if (state.task !== "wait") return [state, []];
      return state.leads && state.current ? hold(state, rules, at) : look(state, at);
    case "found":
      return state.task === "get" ? found(seen(state, input.lease, at), rules, at) : [state, []];
    case "absent":
      if (state.task !== "get") return [state, []];
      return state.stopping ? done(state) : absent({ ...state, error: undefined }, rules, at);
    case "written":
      return state.task === "write" ? written(seen(state, input.lease, at), rules, at) : [state, []];
    case "conflict":
      if (state.task !== "write") return [state, []];
      return state.stopping ? look(state, at) : rest({ ...state, current: false, error: undefined }, rules, at);
    case "failed":
      if (state.task !== "get" && state.task !== "write") return [state, []];
      if (state.stopping) return done(state);
      return rest({ ...state, current: false, error: input.message }, rules, at);
    case "tick":
      return [state, []];
    case "stop":
      return stop(state, at);
  }
}

/** The Lease that was read or written; its age counts from here on where it is another one than before. */
function seen(state: ElectionState, lease: Lease, { nowMs }: At): ElectionState {
  // Of the rest of the object a change says nothing of its holder.
  const changed = JSON.stringify(lease.spec) !== JSON.stringify(state.lease?.spec);
  const unchangedSinceMs = changed ? nowMs : state.unchangedSinceMs;
  return { ...state, lease, unchangedSinceMs, current: true, error: undefined };
}

function found(state: ElectionState, rules: ElectionRules, at: At): Stepped {
  const holder = holderOf(state.lease);
  if (state.stopping) return holder === rules.identity ? release(state, at) : done(state);
  return isFree(state, rules, at) ? hold(state, rules, at) : rest({ ...state, leads: false }, rules, at);
}

/** Somebody deleted it: whoever held it has not heard of that yet. */
function absent(state: ElectionState, rules: ElectionRules, at: At): Stepped {
  return isFree(state, rules, at)
    ? hold({ ...state, lease: undefined }, rules, at)
    : rest({ ...state, current: false }, rules, at);
}

/** Whether nobody else holds it, or who does said nothing for as long as it promised to. */
function isFree({ lease, unchangedSinceMs }: ElectionState, rules: ElectionRules, { nowMs }: At): boolean {
  const holder = holderOf(lease);
  if (holder === undefined || holder === rules.identity) return true;
  const seconds = lease?.spec?.leaseDurationSeconds ?? 0;
  return nowMs - unchangedSinceMs >= (seconds > 0 ? seconds * 1_000 : rules.leaseDurationMs);
}

function written(state: ElectionState, rules: ElectionRules, at: At): Stepped {
  if (holderOf(state.lease) !== rules.identity) return state.stopping ? done(state) : rest(state, rules, at);
  if (state.stopping) return release(state, at);
  const renewed = { ...state, leads: true, renewedAtMs: state.askedAtMs };
  return rest({ ...renewed, leads: isLeading(renewed, rules, at.nowMs) }, rules, at);
}

function stop(state: ElectionState, at: At): Stepped {
  if (state.stopping) return [state, []];
  const stopping = { ...state, stopping: true, leads: false };
  // What is under way may yet make it ours.
  if (state.task === "get" || state.task === "write") return [stopping, []];
  if (!state.leads || !state.lease) return done(stopping);
  return state.current ? release(stopping, at) : look(stopping, at);
}

function look(state: ElectionState, { nowMs }: At): Stepped {
  return [{ ...state, task: "get", askedAtMs: nowMs }, [{ do: "get" }]];
}

function hold(state: ElectionState, { identity, lease, leaseDurationMs }: ElectionRules, at: At): Stepped {
  const held = heldLease(state.lease, lease, { identity, durationMs: leaseDurationMs, wallMs: at.wallMs });
  return [{ ...state, task: "write", askedAtMs: at.nowMs }, [{ do: "write", lease: held }]];
}

function release(state: ElectionState, at: At): Stepped {
  const lease = releasedLease(state.lease!, at.wallMs);
  return [{ ...state, task: "write", askedAtMs: at.nowMs }, [{ do: "write", lease }]];
}

function rest(state: ElectionState, { retryPeriodMs }: ElectionRules, at: At): Stepped {
  const jitter = state.leads ? 0 : RETRY_JITTER * at.random;
  return [{ ...state, task: "wait" }, [{ do: "wait", ms: Math.round(retryPeriodMs * (1 + jitter)) }]];
}

function done(state: ElectionState): Stepped {
  return [{ ...state, task: "done", leads: false }, [{ do: "done" }]];
}
