import type { Mutant } from "./mutated-core.ts";

/** Mutants of what is over all lines: processes that end (S5, S6), places and turns (S12, S20), full shards (S21). */
export const SHARD_MUTANTS: readonly Mutant[] = [
  {
    ...{ name: "leases end before answers are taken", rule: "S5", file: "core.ts" },
    find: "const full = new Set<number>();\n",
    replace: "const full = new Set<number>();\n  endLeases(context, now.monotonic);\n",
  },
  {
    ...{ name: "a lease found at load ends as one of a process that lives", rule: "S5", file: "core.ts" },
    find: "else if (state.inherited.has(key)) crash(",
    replace: "else if (!key) crash(",
  },
  {
    ...{ name: "a first loss counts", rule: "S6", file: "core.ts" },
    find: "const counted = entry.lost > 0;",
    replace: "const counted = true;",
  },
  {
    ...{ name: "no loss counts", rule: "S6", file: "core.ts" },
    find: "const counted = entry.lost > 0;",
    replace: "const counted = false;",
  },
  {
    ...{ name: "a run that was lost was a start", rule: "S6", file: "core.ts" },
    find: "draft.unstarted.add(key);\n  draft.change(key, { ...restored(entry), lease: null, lost });",
    replace: "draft.change(key, { ...restored(entry), lease: null, lost });",
  },
  {
    ...{ name: "a run that is lost and starts again at once counts twice", rule: "S6, S19", file: "start.ts" },
    find: "now.at, draft.unstarted)",
    replace: "now.at, new Set())",
  },
  {
    ...{ name: "what a lost run took is gone", rule: "S6", file: "core.ts" },
    find: "{ ...restored(entry), lease: null, lost }",
    replace: "{ ...entry, due: entry.due ?? draft.parked.size, lease: null, lost }",
  },
  {
    ...{ name: "what came during a lost run is gone", rule: "S6", file: "entry.ts" },
    find: "reasons: union(before.reasons, entry.reasons)",
    replace: "reasons: before.reasons",
  },
  {
    ...{ name: "an orderly stop loses its runs", rule: "S6", file: "core.ts" },
    find: "restore(draft, key, entry, entry.lost);",
    replace: "restore(draft, key, entry, entry.lost + 1);",
  },
  {
    ...{ name: "an answer leaves a key lost", rule: "S6", file: "core.ts" },
    find: "...calm, lost: 0,",
    replace: "...calm,",
  },
  {
    ...{ name: "a failure leaves a key lost", rule: "S6", file: "core.ts" },
    find: "lost: 0,\n    immediateRequeues: 0,",
    replace: "immediateRequeues: 0,",
  },
  {
    ...{ name: "a refusal forgets that a key was lost", rule: "S6", file: "core.ts" },
    find: "{ ...restored(entry), lease, refused:",
    replace: "{ ...restored(entry), lease, lost: 0, refused:",
  },
  {
    ...{ name: "lost keys wait in their lanes", rule: "S6", file: "line.ts" },
    find: "entry.lost > 0 ? this.lost : this[entry.queue]",
    replace: "this[entry.queue]",
  },
  {
    ...{ name: "lost keys start all at once", rule: "S6", file: "start.ts" },
    find: "mayStartLost &&= draft.lost?.lease !== request.lease;",
    replace: "",
  },
  {
    ...{ name: "lost keys start behind the lanes", rule: "S6", file: "start.ts" },
    find: "mayStartLost ? open.filter",
    replace: "mayStartLost && open.every(({ queue }) => !queue) ? open.filter",
  },
  {
    ...{ name: "a lost key that was refused probes past the others", rule: "S6, S8", file: "candidates.ts" },
    find: "if (lost && lost.at <= (this.#lastResort?.at ?? lost.at)) this",
    replace: "if (lost) this",
  },
  {
    ...{ name: "the next lost key waits for 5 s though the last one has ended", rule: "S6", file: "lost.ts" },
    find: "last === null || holds(last.key) !== last.lease",
    replace: "last === null",
  },
  {
    ...{ name: "the next lost key waits for the end of the last one", rule: "S6", file: "lost.ts" },
    find: "Math.max(0, last.startedAt + LOST_SPACING_MS - monotonic)",
    replace: "LOST_SPACING_MS",
  },
  {
    ...{ name: "a key that was lost twice does not run alone", rule: "S6", file: "start.ts" },
    find: "isAlone: entry.lost > 1",
    replace: "isAlone: false",
  },
  {
    ...{ name: "every lost key runs alone", rule: "S6", file: "start.ts" },
    find: "isAlone: entry.lost > 1",
    replace: "isAlone: true",
  },
  {
    ...{ name: "no alarm for the next lost key", rule: "S4, S6", file: "wake.ts" },
    find: "- now, gateInMs, pauseEnd - now)",
    replace: "- now, gateInMs > 0 ? NEVER : 0, pauseEnd - now)",
  },
  {
    ...{ name: "no cap over all lines", rule: "S12", file: "capacity.ts" },
    find: "most - running > (own",
    replace: "most > (own",
  },
  {
    ...{ name: "no reserve", rule: "S12", file: "capacity.ts" },
    find: "Math.min(idle, Math.floor(most / 2))",
    replace: "0",
  },
  {
    ...{ name: "the reserve is every place", rule: "S12", file: "capacity.ts" },
    find: "Math.min(idle, Math.floor(most / 2))",
    replace: "idle",
  },
  {
    ...{ name: "a line leaves a place for itself", rule: "S12", file: "capacity.ts" },
    find: "Math.min(idle, Math.floor(most / 2))",
    replace: "Math.min(idle + 1, Math.floor(most / 2))",
  },
  {
    ...{ name: "a lease that stands takes no place of the process", rule: "S12", file: "candidates.ts" },
    find: "let running = state.running().size;",
    replace: "let running = state.running().size - state.fenced.size;",
  },
  {
    ...{ name: "the line that was served last goes on", rule: "S20", file: "turn.ts" },
    find: "head.served < first.served ? head : first",
    replace: "head.served > first.served ? head : first",
  },
  {
    ...{ name: "no line is known to have been served", rule: "S20", file: "start.ts" },
    find: "served: draft.turn.served, pause:",
    replace: "served: 0, pause:",
  },
  {
    ...{ name: "live heads of other lines always go first", rule: "S20", file: "turn.ts" },
    find: "resync.length === 0 || turn.passed < LIVE_TO_ONE",
    replace: "true",
  },
  {
    ...{ name: "the resync lane of other lines goes first", rule: "S20", file: "turn.ts" },
    find: "resync.length === 0 || turn.passed < LIVE_TO_ONE",
    replace: "resync.length === 0",
  },
  {
    ...{ name: "a lost key uses up a turn of its line", rule: "S6, S20", file: "start.ts" },
    find: "if (lost.length > 0) from.takeLost();",
    replace:
      "if (lost.length > 0) {\n      draft.turn = { ...draft.turn, passed: draft.turn.passed + 1 };\n      from.takeLost();\n    }",
  },
  {
    ...{ name: "as many starts as may be", rule: "S20", file: "start.ts" },
    find: "while (starts.length < mostStarts)",
    replace: "while (true)",
  },
  {
    ...{ name: "what the most starts leave waits", rule: "S20", file: "wake.ts" },
    find: "Math.max(0, Math.ceil(ms))",
    replace: "Math.max(1, Math.ceil(ms))",
  },
  {
    ...{ name: "lines of a controller are one", rule: "S20", file: "line.ts" },
    find: "({ cluster, controller }: LineName): string =>",
    replace: '({ controller }: LineName, cluster = "home"): string =>',
  },
  {
    ...{ name: "no shard is full", rule: "S21", file: "draft.ts" },
    find: "> this.#state.limits.keys",
    replace: "> Number.POSITIVE_INFINITY",
  },
  {
    ...{ name: "a long key weighs as much as others", rule: "S21", file: "state.ts" },
    find: "Math.max(1, key.length / LIGHT_KEY_LENGTH)",
    replace: "1",
  },
  {
    ...{ name: "a full shard refuses known keys", rule: "S21", file: "core.ts" },
    find: "if (!known && draft.isFull(key))",
    replace: "if (draft.isFull(key))",
  },
  {
    ...{ name: "a key that leaves makes no room in its step", rule: "S21", file: "draft.ts" },
    find: "this.#weight += entry ? weightOf(key) : -weightOf(key);",
    replace: "this.#weight += entry ? weightOf(key) : 0;",
  },
  {
    ...{ name: "a load takes every key for live", rule: "S14", file: "state.ts" },
    find: "[queue].set(key, place)",
    replace: '["live"].set(key, place)',
  },
];
