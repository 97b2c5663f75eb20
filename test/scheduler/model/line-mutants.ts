import type { Mutant } from "./mutated-core.ts";

/** Mutants of what holds a whole line: its pauses (S8) and its lanes (S11). */
export const LINE_MUTANTS: readonly Mutant[] = [
  {
    ...{ name: "a refusal pauses nothing", rule: "S8", file: "core.ts" },
    find: "draft.paces.set(line, { ...pace, pause });",
    replace: "",
  },
  {
    ...{ name: "a refused run's wish is lost", rule: "S8", file: "core.ts" },
    find: "{ ...restored(entry), lease, refused:",
    replace: "{ ...entry, lease, refused:",
  },
  {
    ...{ name: "a refused run was a start", rule: "S8", file: "state.ts" },
    find: "this.#recent.takeBack(key);",
    replace: "this.#recent;",
  },
  {
    ...{ name: "what came during a refused run replaces it", rule: "S8", file: "entry.ts" },
    find: "due: earliest(entry.due, before.due!),",
    replace: "due: entry.due ?? before.due!,",
  },
  {
    ...{ name: "a Retry-After is not cut", rule: "S8", file: "pause.ts" },
    find: "Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, asked))",
    replace: "Math.max(SHORTEST_PAUSE_MS, asked)",
  },
  {
    ...{ name: "a Retry-After of 0 is no pause", rule: "S8", file: "pause.ts" },
    find: "Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, asked))",
    replace: "Math.min(LONGEST_PAUSE_MS, asked)",
  },
  {
    ...{ name: "pauses in a row do not grow", rule: "S8", file: "pause.ts" },
    find: "SHORTEST_PAUSE_MS * 2 ** (inARow - 1)",
    replace: "SHORTEST_PAUSE_MS",
  },
  {
    ...{ name: "each refusal of runs under way makes the next pause longer", rule: "S8", file: "pause.ts" },
    find: "pause.inARow + (isLate ? 0 : 1)",
    replace: "pause.inARow + 1",
  },
  {
    ...{ name: "everything starts at the pause's end", rule: "S8", file: "pause.ts" },
    find: "now < startsAgainAt(pause) ? 0 : 1",
    replace: "now < startsAgainAt(pause) ? 0 : Number.POSITIVE_INFINITY",
  },
  {
    ...{ name: "the refused key probes itself", rule: "S8", file: "candidates.ts" },
    find: "!probes || !(entry ? entry.refused : line.refused.has(key))",
    replace: "true",
  },
  {
    ...{ name: "of refused keys the newest probes", rule: "S8", file: "candidates.ts" },
    find: "a.refused!.at - b.refused!.at",
    replace: "b.refused!.at - a.refused!.at",
  },
  {
    ...{ name: "an answer to any run ends the pause", rule: "S8", file: "pause.ts" },
    find: "pause: isProbe(pace.pause, lease!.id) ? null : pace.pause",
    replace: "pause: null",
  },
  {
    ...{ name: "a probe without an answer is the last one", rule: "S8", file: "core.ts" },
    find: "draft.paces.set(line, unanswered(draft.pace(line), entry));\n  draft.change(key, settled(",
    replace: "draft.change(key, settled(",
  },
  {
    ...{ name: "a probe that is lost with its process is the last one", rule: "S6, S8", file: "core.ts" },
    find: "draft.paces.set(line, unanswered(draft.pace(line), entry));\n  draft.unstarted",
    replace: "draft.unstarted",
  },
  {
    ...{ name: "no lease stands", rule: "S8", file: "core.ts" },
    find: "mayRunAllTheSame(refusal) ? { ...entry.lease!, refused: true } : null",
    replace: "null",
  },
  {
    ...{ name: "a lease stands though the refusal is ours", rule: "S8", file: "pause.ts" },
    find: "=> sent && !ours;",
    replace: "=> sent;",
  },
  {
    ...{ name: "a lease that stands ends as a failure", rule: "S8", file: "core.ts" },
    find: "if (entry.lease.refused) draft.change",
    replace: "if (entry.lease.refused && !entry) draft.change",
  },
  {
    ...{ name: "a second refusal always counts", rule: "S8", file: "pause.ts" },
    find: "refused !== null && refused.at < answeredStart",
    replace: "refused !== null",
  },
  {
    ...{ name: "a refusal never counts", rule: "S8", file: "pause.ts" },
    find: "refused !== null && refused.at < answeredStart",
    replace: "refused === null && refused",
  },
  {
    ...{ name: "a 429 counts", rule: "S8", file: "pause.ts" },
    find: "status !== TOO_MANY_REQUESTS && refused",
    replace: "refused",
  },
  {
    ...{ name: "no alarm for a pause's end", rule: "S4, S8", file: "wake.ts" },
    find: "Math.min(Math.max(first, pauseEnd) - now, lost)",
    replace: "pauseEnd > now ? NEVER : Math.min(first - now, lost)",
  },
  {
    ...{ name: "the resync lane goes first", rule: "S11", file: "turn.ts" },
    find: 'resync === undefined || pace.passed < LIVE_TO_ONE ? "live" : resync',
    replace: 'resync ?? "live"',
  },
  {
    ...{ name: "five live keys to one", rule: "S11", file: "turn.ts" },
    find: "LIVE_TO_ONE = 4;",
    replace: "LIVE_TO_ONE = 5;",
  },
  {
    ...{ name: "the resync lane starves", rule: "S11", file: "turn.ts" },
    find: "return waits.timer || waits.bulk ? { ...pace, passed: pace.passed + 1 } : pace;",
    replace: "return pace;",
  },
  {
    ...{ name: "the turn is forgotten from step to step", rule: "S11", file: "state.ts" },
    find: "this.line(line).pace = pace;",
    replace: "this.line(line).pace = { ...pace, passed: 0 };",
  },
  {
    ...{ name: "timers always go before bulk", rule: "S11", file: "turn.ts" },
    find: "waits.timer && waits.bulk ? otherThan(pace.resynced)",
    replace: 'waits.timer && waits.bulk ? "timer"',
  },
  {
    ...{ name: "bulk goes first at first", rule: "S11", file: "turn.ts" },
    find: 'queue === "timer" ? "bulk" : "timer"',
    replace: 'queue === "bulk" ? "timer" : "bulk"',
  },
  {
    ...{ name: "a poll of a minute is live", rule: "S11", file: "core.ts" },
    find: "delayMs < LIVE_WITHIN_MS",
    replace: "delayMs <= LIVE_WITHIN_MS",
  },
  {
    ...{ name: "a requeue of the resync lane turns live", rule: "S11", file: "core.ts" },
    find: 'queue === "live" && delayMs',
    replace: "delayMs",
  },
  {
    ...{ name: "a bulk that is not earlier takes over a timer", rule: "S1", file: "entry.ts" },
    find: "want.due < entry.due ? want.queue : entry.queue",
    replace: "want.queue",
  },
  {
    ...{ name: "a key that turns live keeps its place", rule: "S11", file: "place.ts" },
    find: "Math.max(startableAt(entry, scheduling), entry.liveSince ?? Number.NEGATIVE_INFINITY)",
    replace: "startableAt(entry, scheduling)",
  },
  {
    ...{ name: "every live trigger moves a key to the tail", rule: "S11", file: "entry.ts" },
    find: 'const turnsLive = next.queue === "live" && (entry.queue !== "live" || entry.due === null);',
    replace: 'const turnsLive = want.queue === "live";',
  },
  {
    ...{ name: "a reload forgets a pause", rule: "S14", file: "state.ts" },
    find: "pause: pauseOfRows(line.pace.pause, entry.refused.pause)",
    replace: "pause: null",
  },
];
