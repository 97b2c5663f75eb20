import type { Mutant } from "./mutated-core.ts";

/** Mutants of what holds a whole controller: its pauses (S8), its lanes (S11), and whether it is declared (S17). */
export const LINE_MUTANTS: readonly Mutant[] = [
  {
    ...{ name: "a refusal pauses nobody", rule: "S8", file: "core.ts" },
    find: "draft.paces.set(controller, { ...pace, pause });",
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
    ...{ name: "the refused key probes itself", rule: "S8", file: "start.ts" },
    find: "!probes || entry.refused === null",
    replace: "true",
  },
  {
    ...{ name: "of refused keys the newest probes", rule: "S8", file: "start.ts" },
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
    find: "draft.paces.set(entry.ref.controller, unanswered(draft.pace(entry.ref.controller), entry));",
    replace: "",
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
    find: "if (entry.lease!.refused) draft",
    replace: "if (entry.lease!.refused && !entry) draft",
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
    ...{ name: "no alarm for a pause's end", rule: "S4, S8", file: "core.ts" },
    find: "look(state.line(controller, lane).first(), now.at, pauseEnd)",
    replace: "pauseEnd < now.at && look(state.line(controller, lane).first(), now.at)",
  },
  {
    ...{ name: "the resync lane goes first", rule: "S11", file: "lanes.ts" },
    find: "bothWait ? passed < LIVE_TO_ONE : l < live.length",
    replace: "r >= resync.length",
  },
  {
    ...{ name: "five live keys to one", rule: "S11", file: "lanes.ts" },
    find: "LIVE_TO_ONE = 4;",
    replace: "LIVE_TO_ONE = 5;",
  },
  {
    ...{ name: "the resync lane starves", rule: "S11", file: "lanes.ts" },
    find: "if (bothWait) passed++;",
    replace: "if (!bothWait) passed++;",
  },
  {
    ...{ name: "the turn is forgotten from step to step", rule: "S11", file: "start.ts" },
    find: "{ ...pace, passed, pause:",
    replace: "{ ...pace, pause:",
  },
  {
    ...{ name: "a key that turns live keeps its place", rule: "S11", file: "start.ts" },
    find: "Math.max(startableAt(entry, scheduling), entry.liveSince ?? Number.NEGATIVE_INFINITY)",
    replace: "startableAt(entry, scheduling)",
  },
  {
    ...{ name: "every live trigger moves a key to the tail", rule: "S11", file: "entry.ts" },
    find: "liveSince: next.lane === entry.lane ? entry.liveSince : now",
    replace: 'liveSince: want.lane === entry.lane && want.lane === "resync" ? entry.liveSince : now',
  },
  {
    ...{ name: "a reload forgets a pause", rule: "S14", file: "state.ts" },
    find: "pause: pauseOfRows(own.pace.pause, refused.pause)",
    replace: "pause: null",
  },
  {
    ...{ name: "a parked entry is not marked", rule: "S17", file: "draft.ts" },
    find: "const parkedAt = isDeclared ? null : (entry.parkedAt ?? this.#now);",
    replace: "const parkedAt = null;",
  },
  {
    ...{ name: "every write begins the 30 days anew", rule: "S17", file: "draft.ts" },
    find: "(entry.parkedAt ?? this.#now)",
    replace: "this.#now",
  },
  {
    ...{ name: "a controller that is declared again stays parked", rule: "S17", file: "state.ts" },
    find: "(entry.parkedAt === null) !== (options !== undefined)",
    replace: "entry.parkedAt === null && options === undefined",
  },
  {
    ...{ name: "parked entries are kept for ever", rule: "S17", file: "state.ts" },
    find: "this.parked.set(key, entry.parkedAt + PARKED_FOR_MS);",
    replace: "this.parked.delete(key);",
  },
  {
    ...{ name: "parked entries are deleted after 31 days", rule: "S17", file: "draft.ts" },
    find: "= 30 * 24",
    replace: "= 31 * 24",
  },
  {
    ...{ name: "the command deletes what may still run", rule: "S17", file: "draft.ts" },
    find: "entry.parkedAt === null || entry.lease || entry",
    replace: "entry.parkedAt === null || entry",
  },
  {
    ...{ name: "the command deletes nothing", rule: "S17", file: "core.ts" },
    find: "draft.deleteParked(input.controller);",
    replace: "void 0;",
  },
];
