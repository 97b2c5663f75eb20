import { schedulingOptions } from "../../functions/contract/index.ts";
import type { EntryView } from "../../functions/ports/index.ts";
import { PARKED_FOR_MS } from "./draft.ts";
import type { Entry } from "./entry.ts";
import { startableAt } from "./start.ts";
import type { State } from "./state.ts";

const UNDECLARED = schedulingOptions.parse({});

/** An entry as a person would ask for it, at the logical instant `now`. */
export function viewOf(state: State, entry: Entry, now: number): EntryView {
  const left = (until: number | null) => (until === null ? null : Math.max(0, until - now));
  const options = state.controllers.get(entry.ref.controller) ?? UNDECLARED;
  const { pause } = state.pace(entry.ref.controller);
  return {
    key: entry.ref,
    dueInMs: entry.due === null ? null : left(startableAt(entry, options)),
    running: entry.lease !== null,
    reasons: entry.reasons,
    lane: entry.lane,
    attempt: entry.attempt,
    backoffInMs: left(entry.backoffUntil),
    ...(entry.uid !== undefined && { uid: entry.uid }),
    overBudget: entry.overBudgetUntil !== null && entry.overBudgetUntil > now,
    pausedForMs: pause ? left(pause.until) : null,
    deletedInMs: entry.parkedAt === null ? null : left(entry.parkedAt + PARKED_FOR_MS),
  };
}
