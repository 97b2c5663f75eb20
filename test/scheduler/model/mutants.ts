import type { Mutant } from "./mutated-core.ts";

/** Each breaks one rule in one line. The model catches them all, else it does not hold the core to that rule. */
export const MUTANTS: readonly Mutant[] = [
  {
    ...{ name: "the latest due time wins", rule: "S1", file: "entry.ts" },
    find: "a === null ? b : Math.min(a, b)",
    replace: "a === null ? b : Math.max(a, b)",
  },
  {
    ...{ name: "the newest lane wins", rule: "S1", file: "entry.ts" },
    find: 'lane: entry.lane === "live" ? "live" : want.lane,',
    replace: "lane: want.lane,",
  },
  {
    ...{ name: "only the first reason stays", rule: "S1", file: "entry.ts" },
    find: "missing.length === 0 ? reasons",
    replace: "reasons.length > 0 ? reasons",
  },
  {
    ...{ name: "a running key starts again", rule: "S2", file: "start.ts" },
    find: "&& !entry.lease && mayStart(entry)",
    replace: "&& mayStart(entry)",
  },
  {
    ...{ name: "a run's end forgets a trigger that came meanwhile", rule: "S2, S13", file: "core.ts" },
    find: "return clear.due === null ? null : clear;",
    replace: "return null;",
  },
  {
    ...{ name: "an entry changes before the commit", rule: "S3", file: "start.ts" },
    find: "draft.changes.set(key, running);",
    replace: "state.entries.set(key, running) && draft.changes.set(key, running);",
  },
  {
    ...{ name: "the alarm is set for what a cap holds", rule: "S4", file: "core.ts" },
    find: "if (!start || state.running(controller) >= concurrency) continue;",
    replace: "if (!start) continue;",
  },
  {
    ...{ name: "no alarm for a lease's end", rule: "S4", file: "core.ts" },
    find: "look(queue.first(), now.monotonic)",
    replace: "look(undefined, now.monotonic)",
  },
  {
    ...{ name: "a late answer settles the next run", rule: "S5", file: "core.ts" },
    find: "entry?.lease?.id !== input.lease || entry.lease.refused",
    replace: "!entry?.lease || entry.lease.refused",
  },
  {
    ...{ name: "no grace after the deadline", rule: "S5", file: "start.ts" },
    find: "scheduling.deadlineMs + LEASE_GRACE_MS",
    replace: "scheduling.deadlineMs",
  },
  {
    ...{ name: "every run counts", rule: "S6", file: "start.ts" },
    find: "counts: entry.backoffUntil === null || now >= entry.backoffUntil,",
    replace: "counts: true,",
  },
  {
    ...{ name: "the retry's own run does not count", rule: "S6", file: "start.ts" },
    find: "now >= entry.backoffUntil",
    replace: "now > entry.backoffUntil",
  },
  {
    ...{ name: "early runs are not spaced", rule: "S6", file: "start.ts" },
    find: "Math.max(at, entry.lastStart + earlySpacing(backoff, entry.earlyFailures))",
    replace: "at",
  },
  {
    ...{ name: "the spacing of early runs does not grow", rule: "S6", file: "start.ts" },
    find: "baseMs * 2 ** failures",
    replace: "baseMs",
  },
  {
    ...{ name: "a lease's end is no failure", rule: "S6", file: "core.ts" },
    find: 'lose(draft, key, entry, "no answer before the lease ended", at(entry));',
    replace: 'settle(draft, key, entry, { apiVersion: API_VERSION, outcome: "gone" }, at(entry));',
  },
  {
    ...{ name: "a success leaves the backoff", rule: "S7", file: "core.ts" },
    find: "attempt: 0, backoffUntil: null, earlyFailures: 0, immediateRequeues: 0 };",
    replace: "attempt: 0, backoffUntil: entry.backoffUntil, earlyFailures: 0, immediateRequeues: 0 };",
  },
  {
    ...{ name: "an early RetryAfterError moves the backoff earlier", rule: "S7", file: "core.ts" },
    find: "Math.max(entry.backoffUntil!, asked ?? 0)",
    replace: "(asked ?? entry.backoffUntil!)",
  },
  {
    ...{ name: "four immediate requeues in a row", rule: "S7", file: "core.ts" },
    find: "IMMEDIATE_IN_A_ROW = 3;",
    replace: "IMMEDIATE_IN_A_ROW = 4;",
  },
  {
    ...{ name: "delays are not cut", rule: "S9", file: "core.ts" },
    find: "Math.min(MAX_DELAY_MS, Math.max(0, delayMs))",
    replace: "Math.max(0, delayMs)",
  },
  {
    ...{ name: "the window moves with every trigger", rule: "S10", file: "core.ts" },
    find: "const known = wanted(entry,",
    replace: "const known = wanted({ ...entry, due: null },",
  },
  {
    ...{ name: "a requeue waits for the window", rule: "S10", file: "core.ts" },
    find: "Math.max(at.now + delay, spaced)",
    replace: "Math.max(at.now + delay + at.scheduling.debounceMs, spaced)",
  },
  {
    ...{ name: "one run more than the cap", rule: "S12", file: "start.ts" },
    find: "const free = scheduling.concurrency - ",
    replace: "const free = 1 + scheduling.concurrency - ",
  },
  {
    ...{ name: "what a cap holds stays held at a run's end", rule: "S12", file: "start.ts" },
    find: "+ ended(state, draft.changes, controller)",
    replace: "",
  },
  {
    ...{ name: "the uid of a gone key is remembered", rule: "S13", file: "core.ts" },
    find: 'answer.outcome === "gone" ? undefined : (answer.observed?.uid ?? before)',
    replace: "answer.observed?.uid ?? before",
  },
  {
    ...{ name: "a recreated object inherits the count", rule: "S13", file: "core.ts" },
    find: "recreated ? 0 : lease.attempt",
    replace: "lease.attempt",
  },
  {
    ...{ name: "a recreated object's early failure does not count", rule: "S13", file: "core.ts" },
    find: "lease.counts || recreated",
    replace: "lease.counts",
  },
  {
    ...{ name: "a reload forgets the leases", rule: "S14", file: "state.ts" },
    find: "this.#of(controller).running.set(key, leaseEnds(entry));",
    replace: "before && this.#of(controller).running.set(key, leaseEnds(entry));",
  },
  {
    ...{ name: "the request always says attempt 0", rule: "S15", file: "start.ts" },
    find: "attempt: entry.attempt,\n    counts:",
    replace: "attempt: 0,\n    counts:",
  },
  {
    ...{ name: "leases go by logical time", rule: "S18", file: "core.ts" },
    find: "queue.upTo(now.monotonic,",
    replace: "queue.upTo(now.at,",
  },
  {
    ...{ name: "a backward step sets logical time back", rule: "S18", file: "logical-time.ts" },
    find: "time.offset + Math.max(0, time.wall - wall)",
    replace: "time.offset",
  },
  {
    ...{ name: "a wall clock behind the rows is believed at load", rule: "S18", file: "logical-time.ts" },
    find: "Math.max(0, newest - wall)",
    replace: "0",
  },
  {
    ...{ name: "entries do not say when they were written", rule: "S18", file: "draft.ts" },
    find: "{ ...entry, parkedAt, writtenAt: this.#now }",
    replace: "{ ...entry, parkedAt }",
  },
  {
    ...{ name: "one start more than the budget", rule: "S19", file: "start.ts" },
    find: "startsInAMinute >= scheduling.startsPerMinute",
    replace: "startsInAMinute > scheduling.startsPerMinute",
  },
  {
    ...{ name: "spaced only while the count is reached", rule: "S19", file: "start.ts" },
    find: "scheduling.startsPerMinute || held",
    replace: "scheduling.startsPerMinute",
  },
  {
    ...{ name: "the budget is forgotten with the entry", rule: "S19", file: "core.ts" },
    find: "const recent = state.recent(keyOf(ref), now);",
    replace: "const recent = state.recent(keyOf(ref), now) && undefined;",
  },
];
