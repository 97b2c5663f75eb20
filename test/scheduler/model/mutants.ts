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
    find: 'if (entry.queue === "live" || want.queue === "live") return "live";\n  return want.due < entry.due ? want.queue : entry.queue;',
    replace: "return want.queue;",
  },
  {
    ...{ name: "only the first reason stays", rule: "S1", file: "entry.ts" },
    find: "missing.length === 0 ? reasons",
    replace: "reasons.length > 0 ? reasons",
  },
  {
    ...{ name: "a running key starts again", rule: "S2", file: "candidates.ts" },
    find: "if (entry && !entry.lease && entry.due !== null)",
    replace: "if (entry && entry.due !== null)",
  },
  {
    ...{ name: "a run's end forgets a trigger that came meanwhile", rule: "S2, S13", file: "core.ts" },
    find: "return clear.due === null ? null : clear;",
    replace: "return null;",
  },
  {
    ...{ name: "an entry changes before the commit", rule: "S3", file: "start.ts" },
    find: "draft.entries.set(key, running);",
    replace: "state.line(from.line.name).pace = from.pace;\n  state.size++;\n  draft.entries.set(key, running);",
  },
  {
    ...{ name: "the alarm is set for what a cap holds", rule: "S4", file: "wake.ts" },
    find: "line.running.size < line.options.concurrency && letsStartOne",
    replace: "letsStartOne",
  },
  {
    ...{ name: "no alarm for a lease's end", rule: "S4", file: "wake.ts" },
    find: "if (leaseEnd) lease =",
    replace: "if (leaseEnd && !leaseEnd) lease =",
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
    ...{ name: "early runs are not spaced", rule: "S6", file: "place.ts" },
    find: "Math.max(at, entry.lastStart + earlySpacing(backoff, entry.earlyFailures))",
    replace: "at",
  },
  {
    ...{ name: "the spacing of early runs does not grow", rule: "S6", file: "place.ts" },
    find: "baseMs * 2 ** failures",
    replace: "baseMs",
  },
  {
    ...{ name: "a lease's end is no failure", rule: "S6", file: "core.ts" },
    find: 'lose(draft, key, entry, "no answer before the lease ended", at(context, entry));',
    replace: "restore(draft, key, entry, 0);",
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
    find: "const next = wanted(entry,",
    replace: "const next = wanted({ ...entry, due: null },",
  },
  {
    ...{ name: "a requeue waits for the window", rule: "S10", file: "core.ts" },
    find: "Math.max(at.now + delay, spaced)",
    replace: "Math.max(at.now + delay + at.scheduling.debounceMs, spaced)",
  },
  {
    ...{ name: "one run more than the cap", rule: "S12", file: "candidates.ts" },
    find: "Math.min(options.concurrency - this.running,",
    replace: "Math.min(1 + options.concurrency - this.running,",
  },
  {
    ...{ name: "what a cap holds stays held at a run's end", rule: "S12", file: "candidates.ts" },
    find: "this.running = line.running.size + changes.running;",
    replace: "this.running = line.running.size;",
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
    find: "this.#hold(key, entry, leaseEnds);\n      this.inherited",
    replace: "this.inherited",
  },
  {
    ...{ name: "the request always says attempt 0", rule: "S15", file: "start.ts" },
    find: "attempt: entry.attempt,\n    counts:",
    replace: "attempt: 0,\n    counts:",
  },
  {
    ...{ name: "leases go by logical time", rule: "S18", file: "core.ts" },
    find: "endLeases(context, now.monotonic);",
    replace: "endLeases(context, now.at);",
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
    find: "place: this.#placeOf(key, entry), writtenAt: this.#now }",
    replace: "place: this.#placeOf(key, entry) }",
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
