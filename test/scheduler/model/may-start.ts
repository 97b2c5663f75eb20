import { dueAt, type Key, lastStart } from "./key.ts";
import type { Line } from "./line.ts";

export const MINUTE_MS = 60_000;
export const BUDGET_SPACING_MS = 5_000;

const DUE = "S1, S7, S9, S10: the due time";

/** When time alone lets a waiting key start, and the rule that says so. */
export function mayStart(key: Key): { at: number; rule: string } {
  const due = dueAt(key);
  let at = due;
  let rule = DUE;
  if (key.backoffUntil !== null && due < key.backoffUntil) {
    // S6: early runs are spaced; at backoffUntil a run is no longer early. S7: delays grow into a cap.
    const { baseMs, maxMs } = key.line.options.backoff;
    const spaced = lastStart(key) + Math.min(maxMs, baseMs * 2 ** key.earlyFailures);
    if (spaced > due) {
      at = Math.min(spaced, key.backoffUntil);
      rule = "S6: the spacing of early runs";
    }
  }
  const budgeted = lastStart(key) + BUDGET_SPACING_MS;
  return at < budgeted && isOverBudget(key, at) ? { at: budgeted, rule: "S19: the budget" } : { at, rule };
}

/**
 * S19: a key is over its budget from the start that reached it until a minute has passed in which no start reached it or
 * was held by it ("while it lasts").
 */
export function isOverBudget(key: Key, at: number): boolean {
  return key.starts.some((start) => start.strained && at < start.at + MINUTE_MS);
}

/** The keys of a line that time alone lets start. */
export function dueOf(line: Line, now: number): Key[] {
  return line.keys.filter((key) => !key.run && key.wants.length > 0 && mayStart(key).at <= now);
}

/** Whether its place, written while its line was not declared, is earlier than the line's options have it (S6, S19). */
export const isPutDownTooEarly = (key: Key): boolean =>
  key.isMisplaced && key.line.isDeclared && mayStart(key).at > dueAt(key);
