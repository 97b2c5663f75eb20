import { expect, test } from "vitest";
import { failure, requeue, Shard, success } from "../support/shard.ts";

test("S1 the earliest due time wins: an event consumes a waiting requeue", () => {
  const shard = new Shard();
  const [first] = shard.trigger("a");
  shard.answer(first!, requeue(300_000));
  shard.now += 10_000;
  const [second] = shard.trigger("a");
  expect(second!.reasons).toEqual(["requeue", "object-updated"]);
  shard.answer(second!, success);
  expect(shard.entry("a")).toBeUndefined();
});

test("S1 the reasons unite and the live lane wins, even where the due time stays", () => {
  const shard = new Shard({ debounceMs: 1_000 });
  shard.trigger("a", { lane: "resync", reason: "bulk" });
  const due = shard.entry("a")!.due;
  shard.now += 500;
  shard.trigger("a", { lane: "live", reason: "webhook" });
  expect(shard.entry("a")).toMatchObject({ due, queue: "live", reasons: ["bulk", "webhook"] });
  shard.trigger("a", { lane: "resync", reason: "bulk" });
  expect(shard.entry("a")).toMatchObject({ due, queue: "live", reasons: ["bulk", "webhook"] });
});

test("S2 triggers during a run cause exactly one more run after it", () => {
  const shard = new Shard();
  const [run] = shard.trigger("a");
  expect(shard.trigger("a")).toEqual([]);
  expect(shard.trigger("a", { reason: "webhook" })).toEqual([]);
  const again = shard.answer(run!, success);
  expect(again.map(({ reasons }) => reasons)).toEqual([["object-updated", "webhook"]]);
  expect(shard.answer(again[0]!, success)).toEqual([]);
  expect(shard.state.size).toBe(0);
});

test("S10 debounce is a fixed window from the first trigger", () => {
  const shard = new Shard({ debounceMs: 1_000 });
  expect(shard.trigger("a")).toEqual([]);
  shard.now += 300;
  expect(shard.trigger("a")).toEqual([]);
  expect(shard.wakeInMs()).toBe(700);
  expect(shard.wake()).toHaveLength(1);
});

test("S10 a steady stream of triggers does not starve a key", () => {
  const shard = new Shard({ debounceMs: 1_000 });
  let runs = 0;
  for (let i = 0; i < 100; i++, shard.now += 100)
    for (const run of shard.trigger("a")) {
      runs++;
      shard.answer(run, success);
    }
  expect(runs).toBe(9);
});

test.each([
  ["a requeue", requeue(200)],
  ["an error retry", failure({ retryAfterMs: 200 })],
])("S10 debounce does not delay %s", (_, answer) => {
  const shard = new Shard({ debounceMs: 60_000 });
  shard.trigger("a");
  const [run] = shard.wake();
  shard.answer(run!, answer);
  expect(shard.wakeInMs()).toBe(200);
});

test("S12 concurrency is exact, and what it holds runs when a run is settled", () => {
  const shard = new Shard({ concurrency: 1 });
  const [a] = shard.trigger("a");
  expect(shard.trigger("b")).toEqual([]);
  expect(shard.trigger("c")).toEqual([]);
  expect(shard.wakeInMs()).toBe(65_000); // S4: only the lease's end, no spinning on b and c
  const [b] = shard.answer(a!, success);
  expect(b!.key.name).toBe("b");
  const [c] = shard.answer(b!, requeue(0));
  expect(c!.key.name).toBe("c");
});
