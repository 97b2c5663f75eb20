import { expect, test } from "vitest";
import type { ReconcileAnswer } from "../../functions/contract/index.ts";
import { failure, names, requeue, Shard, success } from "../support/shard.ts";

const MINUTE_MS = 60_000;
const many = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

test.each<[string, ReconcileAnswer, "live" | "timer"]>([
  ["a requeue in less than a minute", requeue(MINUTE_MS - 1), "live"],
  ["a requeue in a minute", requeue(MINUTE_MS), "timer"],
  ["a retry in less than a minute", failure({ retryAfterMs: MINUTE_MS - 1 }), "live"],
  ["a retry in a minute", failure({ retryAfterMs: MINUTE_MS }), "timer"],
])("S11 %s of a live run waits in its queue: %j, %s", (_, answer, queue) => {
  const shard = new Shard();
  shard.answer(shard.trigger("a")[0]!, answer);
  expect(shard.entry("a")).toMatchObject({ queue });
});

test.each([
  ["a requeue", requeue(5_000)],
  ["a retry", failure({ retryAfterMs: 5_000 })],
])("S11 %s of a run of the resync lane is a timer, however soon", (_, answer) => {
  const shard = new Shard();
  shard.answer(shard.trigger("a", { lane: "resync", reason: "bulk" })[0]!, answer);
  expect(shard.entry("a")).toMatchObject({ queue: "timer" });
});

test("S1, S11 of a timer and an order for many the earlier one says where the key waits", () => {
  const shard = new Shard({ debounceMs: 30_000 });
  shard.trigger("a");
  shard.answer(shard.wake()[0]!, requeue(MINUTE_MS));
  shard.trigger("a", { lane: "resync", reason: "bulk" });
  expect(shard.entry("a")).toMatchObject({ queue: "bulk", due: shard.now + 30_000 });
});

/** A controller that runs one key at a time: overdue polls, and orders for as many. */
function pollsAndOrders(count: number) {
  const shard = new Shard({ concurrency: 1 });
  for (const poll of many("p", count)) {
    shard.answer(shard.trigger(poll)[0]!, requeue(MINUTE_MS));
    shard.now += 1;
  }
  shard.mostStarts = 0;
  shard.now += 2 * MINUTE_MS;
  shard.batch(many("b", count), { lane: "resync", reason: "bulk" });
  shard.mostStarts = Number.POSITIVE_INFINITY;
  return shard;
}

function drained(shard: Shard): string[] {
  const order: string[] = [];
  for (let [run] = shard.step(); run; [run] = shard.answer(run, success)) order.push(run.key.name);
  return order;
}

test("S11 timers and orders for many take turns in the resync lane, timers first", () => {
  expect(drained(pollsAndOrders(3))).toEqual(["p0", "b0", "p1", "b1", "p2", "b2"]);
});

test("S11 they take turns at the one start in five that the resync lane has beside live changes", () => {
  const shard = pollsAndOrders(2);
  shard.mostStarts = 0;
  shard.batch(many("l", 12));
  shard.mostStarts = Number.POSITIVE_INFINITY;
  const order = drained(shard).filter((name) => !name.startsWith("l"));
  expect(order).toEqual(["p0", "b0", "p1", "b1"]);
});

test("S11 a deployment's order for 10,000 keys delays no poll by more than one run", () => {
  const shard = new Shard({ concurrency: 1 });
  shard.answer(shard.trigger("poll")[0]!, requeue(MINUTE_MS));
  const [first] = shard.batch(many("b", 10_000), { lane: "resync", reason: "bulk" });
  shard.now += MINUTE_MS;
  const [second] = shard.answer(first!, success);
  const [third] = shard.answer(second!, success);
  expect(names([second!, third!])).toContain("poll");
});

test("S11 after a downtime a live change starts before 20,000 overdue polls", () => {
  const shard = new Shard({ concurrency: 4 });
  let waiting = shard.batch(many("p", 20_000));
  while (waiting.length > 0) waiting = waiting.flatMap((run) => shard.answer(run, requeue(90 * MINUTE_MS)));
  expect(shard.state.size).toBe(20_000);
  shard.now += 24 * 60 * MINUTE_MS;
  const running = shard.reload();
  expect(running).toHaveLength(4);
  shard.now += 1;
  expect(shard.trigger("live")).toEqual([]);
  expect(names(shard.answer(running[0]!, success))).toEqual(["live"]);
});

test("S11, S14 the turn of the resync lane begins anew with a reload, and no key is lost", () => {
  const shard = pollsAndOrders(2);
  const [run] = shard.step();
  shard.answer(run!, success);
  shard.stop();
  expect(shard.running()).toEqual(["p1"]);
});
