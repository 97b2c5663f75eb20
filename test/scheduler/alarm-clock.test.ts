import { expect, test, vi } from "vitest";
import { ALARM_GRAIN_MS, createAlarmClock, LEASE_ALARM_AFTER_MS } from "../../adapters/scheduler/alarm-clock.ts";
import { createVirtualClock } from "../../adapters/testing/virtual-clock.ts";

/** An alarm clock at 10,000 with what it set its alarm to. */
function clockAt(known: number | null = null) {
  const sets: number[] = [];
  const base = { at: 10_000 };
  const time = { now: () => base.at, monotonic: () => base.at, setTimer: () => () => {} };
  const clock = createAlarmClock(time, (at) => void sets.push(at), known);
  return { clock, sets, base };
}
const ignore = () => {};

test("S4 the alarm is set, and moved ahead, never back: a setting costs a row", () => {
  const { clock, sets } = clockAt();
  clock.setTimer(5_000, ignore)();
  clock.setTimer(60_000, ignore)();
  clock.setTimer(5_000, ignore)();
  clock.setTimer(1_000, ignore);
  expect(sets).toEqual([15_000, 11_000]);
});

test("S14 an alarm that was set before the object was loaded counts", () => {
  const { clock, sets } = clockAt(12_000);
  clock.setTimer(5_000, ignore);
  expect(sets).toEqual([]);
});

test("S4 an alarm that is overdue may have been dropped: it is set again", () => {
  const { clock, sets } = clockAt(9_000);
  clock.setTimer(5_000, ignore);
  expect(sets).toEqual([15_000]);
});

test("an alarm that has fired is set again", () => {
  const { clock, sets, base } = clockAt();
  const callback = vi.fn();
  clock.setTimer(1_000, callback);
  base.at = 11_003;
  clock.fired();
  expect(callback).toHaveBeenCalledOnce();
  clock.setTimer(5_000, ignore);
  expect(sets).toEqual([11_000, 16_000 + ALARM_GRAIN_MS]);
});

test("S18 an alarm that has fired by a clock ahead of ours is set again", () => {
  const { clock, sets } = clockAt();
  clock.setTimer(1_000, ignore);
  clock.fired();
  clock.setTimer(1_000, ignore);
  expect(sets).toEqual([11_000, 11_000]);
});

test("a timer that was cancelled is not called back", () => {
  const { clock } = clockAt();
  const callback = vi.fn();
  clock.setTimer(1_000, callback)();
  clock.fired();
  expect(callback).not.toHaveBeenCalled();
});

test("what comes due within a tenth of a second shares an alarm, which is never early; what is due now does not wait", () => {
  const { clock, sets, base } = clockAt();
  clock.setTimer(2 * ALARM_GRAIN_MS - 1, ignore);
  clock.setTimer(ALARM_GRAIN_MS + 1, ignore);
  expect(sets).toEqual([10_000 + 2 * ALARM_GRAIN_MS]);
  base.at = 10_003;
  clock.setTimer(0, ignore);
  expect(sets.at(-1)).toBe(10_003);
});

/** One whose time passes by itself, at 10,000. */
function passingClock() {
  const sets: number[] = [];
  const time = createVirtualClock(10_000);
  return { sets, time, clock: createAlarmClock(time, (at) => void sets.push(at), null) };
}

test("S4 the end of a lease costs an alarm only once leases have been held for a second, whoever holds them", async () => {
  const { clock, sets, time } = passingClock();
  clock.setLeaseTimer(65_000, ignore);
  await time.advance(LEASE_ALARM_AFTER_MS - 1);
  clock.setLeaseTimer(65_000, ignore);
  expect(sets).toEqual([]);
  await time.advance(1);
  expect(sets).toEqual([10_000 + LEASE_ALARM_AFTER_MS - 1 + 65_000 + 1]);
});

test("S4 where no lease is held within the second, no alarm is set", async () => {
  const { clock, sets, time } = passingClock();
  clock.setLeaseTimer(65_000, ignore);
  await time.advance(500);
  clock.setLeaseTimer(null, ignore);
  clock.setLeaseTimer(65_000, ignore);
  await time.advance(LEASE_ALARM_AFTER_MS - 1);
  clock.setLeaseTimer(null, ignore);
  await time.advance(60_000);
  expect(sets).toEqual([]);
});
