import { schedulingOptions } from "../../functions/contract/index.ts";
import type { EntryView, ParkedLine } from "../../functions/ports/index.ts";
import { type Entry, laneOf } from "./entry.ts";
import { lineOf, nameOf } from "./line.ts";
import { PARKED_FOR_MS } from "./park.ts";
import { startableAt } from "./place.ts";
import type { State } from "./state.ts";

const UNDECLARED = schedulingOptions.parse({});

/** An entry as a person would ask for it, at the logical instant `now`. */
export function viewOf(state: State, entry: Entry, now: number): EntryView {
  const left = (until: number | null) => (until === null ? null : Math.max(0, until - now));
  const line = state.line(lineOf(entry.ref));
  const { pause } = line.pace;
  const parkedAt = state.parked.get(line.name);
  return {
    key: entry.ref,
    dueInMs: entry.due === null ? null : left(startableAt(entry, line.options ?? UNDECLARED)),
    running: entry.lease !== null,
    reasons: entry.reasons,
    lane: laneOf(entry.queue),
    attempt: entry.attempt,
    backoffInMs: left(entry.backoffUntil),
    ...(entry.uid !== undefined && { uid: entry.uid }),
    overBudget: entry.overBudgetUntil !== null && entry.overBudgetUntil > now,
    pausedForMs: pause ? left(pause.until) : null,
    deletedInMs: parkedAt === undefined ? null : left(parkedAt + PARKED_FOR_MS),
  };
}

export function parkedLines(state: State, now: number): ParkedLine[] {
  return [...state.parked].map(([line, since]) => ({
    ...nameOf(line),
    entries: state.line(line).size,
    deletedInMs: Math.max(0, since + PARKED_FOR_MS - now),
  }));
}
