import { expect, test } from "vitest";
import type { Lane } from "../../functions/contract/index.ts";
import { names, refOf, Shard, success } from "../support/shard.ts";

/** Runs one key after the other, and says their names in order. */
function drained(shard: Shard, first: ReturnType<Shard["trigger"]>, most = 1_000): string[] {
  const order: string[] = [];
  for (let [run] = first; run && order.length < most; [run] = shard.answer(run, success)) order.push(run.key.name);
  return order;
}

/** A controller that runs one key at a time, and is busy; the others wait in this order. */
function waiting(keys: readonly [name: string, lane: Lane][]) {
  const shard = new Shard({ concurrency: 1 });
  const busy = shard.trigger("busy");
  for (const [name, lane] of keys) {
    shard.now += 1;
    shard.trigger(name, { lane });
  }
  return { shard, busy };
}

test("S11 where both lanes wait, four live keys start to one of the resync lane", () => {
  const live = Array.from({ length: 10 }, (_, i): [string, Lane] => [`l${i}`, "live"]);
  const resync = Array.from({ length: 3 }, (_, i): [string, Lane] => [`r${i}`, "resync"]);
  const { shard, busy } = waiting([...resync, ...live]);
  const order = ["l0", "l1", "l2", "l3", "r0", "l4", "l5", "l6", "l7", "r1", "l8", "l9", "r2"];
  expect(drained(shard, busy).slice(1)).toEqual(order);
});

test("S11 a lane that waits alone starts without a break", () => {
  const { shard, busy } = waiting(["a", "b", "c", "d", "e", "f"].map((name) => [name, "resync"]));
  expect(drained(shard, busy).slice(1)).toEqual(["a", "b", "c", "d", "e", "f"]);
});

test("S11 the turn goes over steps and over runs that start together", () => {
  const shard = new Shard({ concurrency: 10 });
  shard.mostStarts = 0;
  for (const name of ["r", "s"]) shard.trigger(name, { lane: "resync" });
  for (const name of ["a", "b", "c", "d", "e", "f"]) shard.trigger(name);
  shard.mostStarts = 3;
  expect(names(shard.step())).toEqual(["a", "b", "c"]);
  shard.mostStarts = 4;
  expect(names(shard.step())).toEqual(["d", "r", "e", "f"]);
});

test("S11 a key that turns live moves to the tail of the live lane, and keeps its due time", () => {
  const { shard, busy } = waiting([
    ["turning", "resync"],
    ["r", "resync"],
    ["a", "live"],
    ["b", "live"],
  ]);
  const { due } = shard.entry("turning")!;
  shard.now += 1;
  shard.trigger("turning", { lane: "live" });
  shard.now += 1;
  shard.trigger("c", { lane: "live" });
  expect(shard.entry("turning")).toMatchObject({ due, queue: "live" });
  expect(drained(shard, busy).slice(1)).toEqual(["a", "b", "turning", "c", "r"]);
});

test("S11 held keys keep their order, whatever else is said of them", () => {
  const { shard, busy } = waiting([
    ["a", "live"],
    ["b", "live"],
  ]);
  shard.now += 1;
  shard.trigger("a", { lane: "resync", reason: "bulk" });
  shard.trigger("a", { lane: "live", reason: "webhook" });
  expect(drained(shard, busy).slice(1)).toEqual(["a", "b"]);
});

test("S11 a relist of 100,000 keys delays no live change, and a step does not look at all that wait", () => {
  const shard = new Shard({ concurrency: 4 });
  const relist = Array.from({ length: 100_000 }, (_, i) => refOf(`r${i}`));
  const running = shard.step(
    ...relist.map((ref) => ({ type: "trigger", ref, reason: "bulk", lane: "resync" }) as const),
  );
  shard.reads = 0;
  for (let i = 0; i < 2_000; i++) {
    shard.now += 10;
    expect(shard.trigger(`live-${i}`)).toEqual([]);
    const [next] = shard.answer(running.shift()!, success);
    expect(next!.key.name).toBe(`live-${i}`); // the next run that starts
    running.push(...shard.answer(next!, success));
  }
  expect(shard.state.size).toBe(100_000 - 2_000);
  expect(shard.reads / 6_000).toBeLessThan(20); // a step
});

test("S11 the resync lane never starves under a flood of live changes", () => {
  const shard = new Shard({ concurrency: 1 });
  let run = shard.trigger("live-0")[0]!;
  for (const name of ["r0", "r1", "r2"]) shard.trigger(name, { lane: "resync" });
  const order: string[] = [];
  for (let i = 1; i <= 17; i++) {
    shard.trigger(`live-${i}`);
    shard.trigger(`more-${i}`);
    run = shard.answer(run, success)[0]!;
    order.push(run.key.name);
  }
  expect(order.flatMap((name, i) => (name.startsWith("r") ? [i] : []))).toEqual([4, 9, 14]);
});
