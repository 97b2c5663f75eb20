/**
 * S17: entries of a controller or a cluster that is no longer declared are kept for 30 days. They merge triggers and start
 * nothing.
 * @module
 */
import type { Draft } from "./draft.ts";
import { type Line, nameOf } from "./line.ts";
import type { State } from "./state.ts";

/** How long entries of a line that is not declared are kept, 30 days in milliseconds. */
export const PARKED_FOR_MS: number = 30 * 24 * 60 * 60 * 1000;

/** Parks the lines that have entries and are not declared, and deletes what has been parked for 30 days. */
export function park(state: State, draft: Draft, now: number): void {
  for (const line of state.parked.keys()) if (state.line(line).options) draft.parked.set(line, null);
  for (const line of state.lines()) {
    if (line.options) continue;
    const entries = countOf(line, draft);
    const since = draft.parkedAt(line.name);
    if (entries === 0) {
      if (since !== undefined) draft.parked.set(line.name, null);
    } else if (since === undefined) {
      draft.parked.set(line.name, now);
      draft.notes.push({ type: "parked", ...nameOf(line.name), entries });
    } else if (since + PARKED_FOR_MS <= now) {
      if (deleteWaiting(line, draft) === entries) draft.parked.set(line.name, null);
    }
  }
}

/** By command. A run that may still go on keeps its entry. */
export function deleteParked(state: State, draft: Draft, line: string): void {
  const { options } = state.line(line);
  if (!options) deleteWaiting(state.line(line), draft);
}

/** When time alone deletes what is parked in a line; undefined where nothing is. */
export function deletedAt(state: State, line: Line): number | undefined {
  const since = state.parked.get(line.name);
  return since === undefined || line.waiting === 0 ? undefined : since + PARKED_FOR_MS;
}

function deleteWaiting(line: Line, draft: Draft): number {
  const keys = new Set(line.queues().flatMap((queue) => [...queue.keys()]));
  for (const [key] of draft.changesOf(line.name)) keys.add(key);
  let entries = 0;
  for (const key of keys) {
    const changed = draft.entries.get(key);
    if (changed === null || changed?.lease) continue;
    draft.change(key, null);
    entries++;
  }
  if (entries > 0) draft.notes.push({ type: "deleted", ...nameOf(line.name), entries });
  return entries;
}

function countOf(line: Line, draft: Draft): number {
  let entries = line.size;
  for (const [key, entry] of draft.changesOf(line.name)) entries += Number(entry !== null) - Number(line.has(key));
  return entries;
}
