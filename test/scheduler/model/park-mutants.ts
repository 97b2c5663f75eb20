import type { Mutant } from "./mutated-core.ts";

/** Mutants of lines that are not declared (S17). */
export const PARK_MUTANTS: readonly Mutant[] = [
  {
    ...{ name: "a parked line is not marked", rule: "S17", file: "park.ts" },
    find: "draft.parked.set(line.name, now);",
    replace: "",
  },
  {
    ...{ name: "every load begins the 30 days anew", rule: "S17", file: "state.ts" },
    find: "for (const [line, at] of parked) this.parked.set(line, at);",
    replace: "",
  },
  {
    ...{ name: "a line that is declared again stays parked", rule: "S17", file: "park.ts" },
    find: "if (state.line(line).options) draft.parked.set(line, null);",
    replace: "void line;",
  },
  {
    ...{ name: "a line that has nothing left stays parked", rule: "S17", file: "park.ts" },
    find: "if (since !== undefined) draft.parked.set(line.name, null);",
    replace: "",
  },
  {
    ...{ name: "a cluster that is not declared parks nothing", rule: "S17", file: "state.ts" },
    find: "this.declared.clusters.has(cluster) ? this.declared.controllers.get(controller) : undefined",
    replace: "this.declared.controllers.get(controller)",
  },
  {
    ...{ name: "parked entries are kept for ever", rule: "S17", file: "park.ts" },
    find: "since + PARKED_FOR_MS <= now",
    replace: "since + PARKED_FOR_MS <= 0",
  },
  {
    ...{ name: "parked entries are deleted after 31 days", rule: "S17", file: "park.ts" },
    find: "= 30 * 24",
    replace: "= 31 * 24",
  },
  {
    ...{ name: "no alarm for a parked line's end", rule: "S4, S17", file: "wake.ts" },
    find: "if (!line.options) wake = Math.min(wake, (deletedAt(state, line) ?? NEVER) - now.at);",
    replace: "if (!line.options) continue;",
  },
  {
    ...{ name: "the command deletes what may still run", rule: "S17", file: "park.ts" },
    find: "new Set(line.queues().flatMap(",
    replace: "new Set([...line.queues(), line.running].flatMap(",
  },
  {
    ...{ name: "the command deletes nothing", rule: "S17", file: "core.ts" },
    find: "deleteParked(state, draft, lineOf(input));",
    replace: "void 0;",
  },
  {
    ...{ name: "a key that turned live while it was parked keeps its place", rule: "S11, S17", file: "draft.ts" },
    find: "Math.max(entry.due, entry.liveSince ?? 0)",
    replace: "entry.due",
  },
  {
    ...{ name: "the command deletes what is declared", rule: "S17", file: "park.ts" },
    find: "if (!options) deleteWaiting",
    replace: "deleteWaiting",
  },
];
