import { expect } from "vitest";
import { failure, refOf, success, triggerOf } from "../support/shard.ts";
import type { Suite } from "./scheduler-bench.ts";

const NOT_OURS = { ours: false, retryAfterMs: 2_000 };

/** S8: what a function that refuses runs costs its controller, and what it does not cost its keys. */
export function testPauses({ start, test, durable }: Suite): void {
  test("S8 a refused run pauses its line, and costs the key nothing", async () => {
    const b = await start();
    await b.accept(triggerOf("a"));
    await b.clock.settle();
    await b.refuse(0, { retryAfterMs: 5_000 });
    expect(b.scheduler.inspect(refOf("a"))).toMatchObject({
      ...{ attempt: 0, backoffInMs: null, dueInMs: 0, running: false, reasons: ["object-updated"], pausedForMs: 5_000 },
    });
    expect((await b.accept(triggerOf("b"))).nextWakeInMs).toBe(5_000); // S4
    await b.clock.advance(4_999);
    expect(b.names()).toEqual(["a"]);
    const lines = b.logger.lines.map(({ level, message, fields }) => [level, message, fields?.status, fields?.forMs]);
    expect(lines).toEqual([["warn", "a function refuses runs, its line pauses", 503, 5_000]]);
  });

  test("S8 after the pause another key probes, and the rest goes on once the function has answered", async () => {
    const b = await start();
    await b.accept(triggerOf("a"));
    await b.clock.settle();
    await b.refuse(0, { status: undefined, sent: false, ours: false });
    await b.accept(triggerOf("b"), triggerOf("c"));
    await b.clock.advance(1_000);
    expect(b.names()).toEqual(["a", "b"]);
    expect(b.scheduler.inspect(refOf("c"))).toMatchObject({ pausedForMs: 0 });
    await b.answer(1, success);
    expect(b.names()).toEqual(["a", "b", "a", "c"]);
    expect(b.runs[2]!.request).toMatchObject({ attempt: 0, counts: true, reasons: ["object-updated"] });
    expect(b.scheduler.inspect(refOf("c"))).toMatchObject({ pausedForMs: null });
  });

  test("S8 a function that goes on refusing is asked less and less, by one run at a time", async () => {
    const b = await start();
    await b.accept(...["a", "b", "c"].map((name) => triggerOf(name)));
    await b.clock.settle();
    for (const index of [0, 1, 2]) await b.refuse(index);
    for (const [i, waitMs] of [1_000, 2_000, 4_000].entries()) {
      await b.clock.advance(waitMs - 1);
      expect(b.runs).toHaveLength(3 + i);
      await b.clock.advance(1);
      expect(b.runs).toHaveLength(4 + i);
      await b.refuse(3 + i);
    }
  });

  test("S8 the lease stands where the function may run the key all the same, and its end is no failure", async () => {
    const b = await start({ concurrency: 2 });
    await b.accept(triggerOf("a"));
    await b.clock.settle();
    await b.refuse(0, NOT_OURS);
    await b.accept(triggerOf("a"), triggerOf("b"));
    await b.clock.advance(2_000);
    await b.answer(1, success);
    await b.clock.advance(62_999);
    expect(b.names()).toEqual(["a", "b"]);
    expect(b.scheduler.inspect(refOf("a"))).toMatchObject({ running: true, dueInMs: 0 });
    await b.clock.advance(1);
    expect(b.names()).toEqual(["a", "b", "a"]);
    expect(b.runs[2]!.request.attempt).toBe(0);
  });

  test("S8 a key that is refused again while another one is not counts as failed, and stops nobody", async () => {
    const b = await start();
    await b.accept(triggerOf("poison"));
    await b.clock.settle();
    await b.refuse(0);
    await b.accept(triggerOf("b"));
    await b.clock.advance(1_000);
    await b.answer(1, success);
    await b.refuse(2);
    expect(b.scheduler.inspect(refOf("poison"))).toMatchObject({ attempt: 1, dueInMs: 1_000, pausedForMs: null });
    await b.accept(triggerOf("c"));
    await b.clock.settle();
    expect(b.names()).toEqual(["poison", "b", "poison", "c"]);
  });

  test("S8 a drain does not wait for a lease that only stands", async () => {
    const b = await start();
    await b.accept(triggerOf("a"));
    await b.clock.settle();
    await b.refuse(0, NOT_OURS);
    await b.scheduler.drain();
    expect(b.scheduler.size()).toEqual({ entries: 1, running: 1 });
  });

  if (!durable) return;

  test("S8, S14 a pause survives the process, and one run probes after it", async () => {
    const b = await start();
    await b.accept(triggerOf("a"), triggerOf("failed"));
    await b.clock.settle();
    await b.answer(1, failure({ retryAfterMs: 500 }));
    await b.refuse(0, { retryAfterMs: 60_000 });
    await b.restart();
    await b.accept(triggerOf("b"));
    await b.clock.advance(59_999);
    expect(b.runs).toHaveLength(2);
    await b.clock.advance(1);
    expect(b.names().slice(2)).toEqual(["b"]);
    await b.answer(2, success);
    expect(b.names().slice(3)).toEqual(["a", "failed"]);
  });

  test("S8, S5 a lease that stands outlives the process, and ends as no failure", async () => {
    const b = await start();
    await b.accept(triggerOf("a"));
    await b.clock.settle();
    await b.refuse(0, NOT_OURS);
    await b.restart();
    await b.clock.advance(64_999);
    expect(b.runs).toHaveLength(1);
    await b.clock.advance(1);
    expect(b.runs[1]!.request).toMatchObject({ attempt: 0, counts: true });
  });
}
