/**
 * When a key that waits may start, and its place among others (S6, S11, S19).
 * @module
 */
import type { BackoffOptions, SchedulingOptions } from "../../functions/contract/index.ts";
import type { Entry } from "./entry.ts";

/** Over its budget a key starts once in this time, until a minute has passed without need for it (S19). */
export const BUDGET_SPACING_MS = 5_000;

/** When an entry may start: when it is due, but for the spacing of early runs (S6) and of keys over budget (S19). */
export function startableAt(entry: Entry, { backoff }: Pick<SchedulingOptions, "backoff">): number {
  let at = entry.due ?? Number.POSITIVE_INFINITY;
  if (entry.lastStart === null) return at;
  if (entry.backoffUntil !== null && at < entry.backoffUntil)
    at = Math.min(entry.backoffUntil, Math.max(at, entry.lastStart + earlySpacing(backoff, entry.earlyFailures)));
  if (isOverBudget(entry, at)) at = Math.max(at, entry.lastStart + BUDGET_SPACING_MS);
  return at;
}

/** Its place in its queue: a key that turned live is behind those that were live already (S11). */
export function placeOf(entry: Entry, scheduling: Pick<SchedulingOptions, "backoff">): number {
  return Math.max(startableAt(entry, scheduling), entry.liveSince ?? Number.NEGATIVE_INFINITY);
}

/** Whether S19 spaces what would start at this instant. */
export function isOverBudget({ overBudgetUntil }: Entry, at: number): boolean {
  return overBudgetUntil !== null && at < overBudgetUntil;
}

const earlySpacing = (backoff: BackoffOptions, failures: number) =>
  Math.min(backoff.maxMs, backoff.baseMs * 2 ** failures);
