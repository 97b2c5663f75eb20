import { describe, expect, it } from "vitest";
import {
  initialWatch,
  stepWatch,
  type WatchEffect,
  type WatchInput,
  type WatchState,
} from "../../../infra/relay/watch/watch.ts";
import { objectOf } from "./objects.ts";

export const nowMs = 1_000_000;
// Without jitter; and a stream's timeout in the middle.
export const at = { nowMs, random: 0.5 };

export const a = objectOf({ name: "a", resourceVersion: "7" });
export const paged: WatchState = { ...initialWatch, paged: true };
export const listing: WatchState = { ...paged, task: "list", list: 1 };
export const paging: WatchState = { ...listing, phase: "InitPage", pageToken: "p2", listVersion: "5" };
export const relisting: WatchState = { ...listing, list: 2, attempted: true };
export const listed: WatchState = { ...paged, phase: "InitListed", cursor: "5", list: 1, attempted: true };
export const opening: WatchState = { ...listed, task: "watch", taskSinceMs: nowMs - 60_000 };
export const watching: WatchState = { ...opening, phase: "Watching", healthySinceMs: nowMs - 60_000 };
export const probing: WatchState = { ...listed, task: "probe", suspect: true };
export const waiting: WatchState = { ...listed, task: "wait", failures: 1 };

/** A streaming list that was asked for, one that has begun, and one that replaces what is known. */
export const asking: WatchState = { ...initialWatch, task: "watch", list: 1, taskSinceMs: nowMs - 60_000 };
export const streaming: WatchState = { ...asking, phase: "InitialWatch", cursor: "7", healthySinceMs: nowMs - 60_000 };
export const restreaming: WatchState = { ...streaming, list: 2, cursor: "10", attempted: true };

export const stream: WatchEffect = { do: "watch", timeoutSeconds: 270 };
export const watchFrom = (from: string): WatchEffect => ({ do: "watch", from, timeoutSeconds: 270 });
export const wait = (ms: number): WatchEffect => ({ do: "wait", ms });
export const failed = (status?: number, retryAfterMs?: number): WatchInput => ({
  is: "failed",
  status,
  message: "no",
  retryAfterMs,
});

export type Row = [
  name: string,
  before: WatchState,
  input: WatchInput,
  after: Partial<WatchState>,
  effects: WatchEffect[],
];

/** One test a row, under a rule. */
export function table(rule: string, rows: Row[]): void {
  describe(rule, () => {
    it.each(rows)("%s", (_, before, input, after, effects) => {
      const [state, done] = stepWatch(before, input, at);
      expect(state).toMatchObject(after);
      expect(done).toEqual(effects);
    });
  });
}
