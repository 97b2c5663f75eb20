import { expect, test } from "vitest";
import { startTime, tick } from "../../adapters/scheduler/logical-time.ts";
import { LEASE_GRACE_MS } from "../../adapters/scheduler/start.ts";
import { requeue, Shard, success } from "../support/shard.ts";

test("S5 without an answer the next run starts no earlier than the deadline and its grace", () => {
  const shard = new Shard({ deadlineMs: 10_000, backoff: { baseMs: 1_000, factor: 2, maxMs: 1_000, jitter: 0 } });
  const [run] = shard.trigger("a");
  expect(shard.trigger("a")).toEqual([]);
  expect(shard.wakeInMs()).toBe(10_000 + LEASE_GRACE_MS);
  shard.now += 10_000 + LEASE_GRACE_MS - 1;
  expect(shard.step()).toEqual([]);
  shard.now += 1;
  // S6: it counts as a failure; what came during the run is an early run now.
  expect(shard.step()).toMatchObject([{ attempt: 1, counts: false }]);
  expect(run!.deadlineMs).toBe(10_000);
});

test("S5 a late answer is discarded by its lease", () => {
  const shard = new Shard({ deadlineMs: 10_000 });
  const [late] = shard.trigger("a");
  shard.now += 15_000;
  shard.step();
  const [next] = shard.wake();
  shard.answer(late!, success);
  expect(shard.entry("a")?.lease?.id).toBe(next!.lease);
  expect(shard.notes.at(-1)).toMatchObject({ type: "late answer" });
});

test("S18 logical time never steps back, and starts no earlier than what was written", () => {
  let time = startTime(5_000, 9_000);
  expect(time.wall + time.offset).toBe(9_000);
  time = tick(time, 6_000);
  expect(time.wall + time.offset).toBe(10_000);
  time = tick(time, 1_000);
  expect(time.wall + time.offset).toBe(10_000);
  time = tick(time, 1_500);
  expect(time.wall + time.offset).toBe(10_500);
  expect(startTime(9_000, 5_000).offset).toBe(0);
});

test("S19 a key that starts 60 times within a minute is held to one start in 5 s, and named with its reasons", () => {
  const shard = new Shard();
  const starts: number[] = [];
  const from = shard.now;
  for (let run = shard.trigger("a")[0]; starts.length < 80; ) {
    starts.push(shard.now - from);
    shard.now += 10;
    shard.trigger("a", { reason: "related-object-updated" });
    run = shard.answer(run!, success)[0] ?? shard.wake()[0];
  }
  expect(starts[59]).toBe(590);
  expect(
    starts
      .slice(59)
      .map((at, i, all) => at - (all[i - 1] ?? at))
      .slice(1),
  ).toEqual(Array(20).fill(5_000));
  expect(shard.notes).toEqual([
    { type: "over budget", ref: expect.objectContaining({ name: "a" }), reasons: ["related-object-updated"] },
  ]);
});

test("S19 the budget outlives the entry, and ends after a minute without need for it", () => {
  const shard = new Shard();
  for (let i = 0; i < 60; i++) shard.answer(shard.trigger("a")[0]!, success);
  expect(shard.entry("a")).toBeUndefined();
  expect(shard.trigger("a")).toEqual([]);
  expect(shard.wakeInMs()).toBe(5_000);
  shard.answer(shard.wake()[0]!, success);
  shard.now += 60_000;
  const [free] = shard.trigger("a");
  shard.answer(free!, success);
  expect(shard.trigger("a")).toHaveLength(1);
});

test("S19 the budget is configurable, and other keys are not held", () => {
  const shard = new Shard({ startsPerMinute: 2 });
  for (let i = 0; i < 2; i++) shard.answer(shard.trigger("a")[0]!, success);
  expect(shard.trigger("a")).toEqual([]);
  expect(shard.trigger("b")).toHaveLength(1);
});

test("S4 a requeue waits without a wake-up before its time", () => {
  const shard = new Shard();
  shard.answer(shard.trigger("a")[0]!, requeue(300_000));
  expect(shard.wakeInMs()).toBe(300_000);
  shard.now += 299_999;
  expect(shard.step()).toEqual([]);
  shard.now += 1;
  expect(shard.step()).toMatchObject([{ reasons: ["requeue"], attempt: 0 }]);
});
