import { expect } from "vitest";
import { failure, refOf, requeue, success, triggerOf } from "../support/shard.ts";
import type { Suite } from "./scheduler-bench.ts";

/** What a scheduler keeps over `kill -9`. */
export function testDurability({ start, test }: Suite): void {
  test("S3 an accepted trigger survives the process", async () => {
    const b = await start({ debounceMs: 5_000 });
    await b.accept(triggerOf("a"));
    await b.restart();
    await b.clock.advance(5_000);
    expect(b.runs).toMatchObject([{ request: { key: refOf("a"), reasons: ["object-updated"] } }]);
  });

  test("S6 a run that its process did not survive comes again, and costs its key nothing", async () => {
    const b = await start();
    await b.accept(triggerOf("a"));
    await b.clock.settle();
    await b.restart();
    if (b.remoteRuns) {
      expect(b.runs).toHaveLength(1); // S5: the run may go on, so its lease stands
      await b.clock.advance(65_000);
    }
    expect(b.runs[1]!.request).toMatchObject({ attempt: 0, counts: true, reasons: ["object-updated"] });
    await b.answer(0, success);
    expect(b.scheduler.inspect(refOf("a"))).toMatchObject({ running: true });
  });

  test("S14 a requeue, a backoff, a uid and a spacing survive the process", async () => {
    const b = await start({ startsPerMinute: 2 });
    await b.accept(triggerOf("requeued"), triggerOf("failed"), triggerOf("busy"));
    await b.clock.settle();
    await b.answer(0, requeue(10_000));
    await b.answer(1, failure({ retryAfterMs: 20_000, uid: "u" }));
    await b.accept(triggerOf("busy"));
    await b.answer(2, success);
    await b.accept(triggerOf("busy"));
    await b.answer(3, success);
    await b.restart();
    expect(b.scheduler.inspect(refOf("requeued"))).toMatchObject({ dueInMs: 10_000, reasons: ["requeue"] });
    expect(b.scheduler.inspect(refOf("failed"))).toMatchObject({
      dueInMs: 20_000,
      backoffInMs: 20_000,
      attempt: 1,
      uid: "u",
    });
    expect(b.scheduler.inspect(refOf("busy"))).toMatchObject({ dueInMs: 5_000, overBudget: true });
  });

  test("S14 the epoch is the store's and stays", async () => {
    const b = await start();
    const { epoch } = await b.accept(triggerOf("a"));
    await b.restart();
    expect((await b.accept(triggerOf("a"))).epoch).toBe(epoch);
  });

  test("S18 a clock that was put back while nobody looked delays nothing", async () => {
    const b = await start();
    await b.accept(triggerOf("a"));
    await b.clock.settle();
    await b.answer(0, requeue(60_000));
    b.clock.step(-24 * 3_600_000);
    await b.restart();
    await b.clock.advance(60_000);
    expect(b.runs).toHaveLength(2);
  });
}
