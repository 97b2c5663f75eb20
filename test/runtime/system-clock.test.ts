import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "../../adapters/runtime/system-clock.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const DAY_MS = 86_400_000;

test("S9 a timer of 180 days fires after 180 days, and not before", () => {
  const fired = vi.fn();
  systemClock.setTimer(180 * DAY_MS, fired);
  vi.advanceTimersByTime(180 * DAY_MS - 1);
  expect(fired).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(fired).toHaveBeenCalledOnce();
});

test("a cancelled timer never fires, in its later parts neither", () => {
  const fired = vi.fn();
  const cancel = systemClock.setTimer(60 * DAY_MS, fired);
  vi.advanceTimersByTime(40 * DAY_MS);
  cancel();
  vi.advanceTimersByTime(40 * DAY_MS);
  expect(fired).not.toHaveBeenCalled();
});

test("a negative delay is none", () => {
  const fired = vi.fn();
  systemClock.setTimer(-5, fired);
  vi.advanceTimersByTime(0);
  expect(fired).toHaveBeenCalledOnce();
});
