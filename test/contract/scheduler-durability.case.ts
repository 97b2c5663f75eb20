import { expect } from "vitest";
import { failure, refOf, requeue, success, triggerOf } from "../support/shard.ts";
import type { Suite } from "./scheduler-bench.ts";

/** What a scheduler keeps over `kill -9`. */
export function testDurability({ start, test }: Suite): void {
  test("S3 an accepted trigger survives the process", async () => {
    const b = start({ debounceMs: 5_000 });
    await b.accept(triggerOf("a"));
    await b.restart();
    await b.clock.advance(5_000);
    expect(b.runs).toMatchObject([{ request: { key: refOf("a"), reasons: ["object-updated"] } }]);
  });

  test("S5, S6 a run that its process did not survive comes again, as a failure that counts", async () => {
    const b = start();
    await b.accept(triggerOf("a"));
    await b.clock.settle();
    await b.restart();
    if (b.remoteRuns) await b.clock.advance(65_000); // the run may go on: its lease stands
    expect(b.runs).toHaveLength(1);
    await b.clock.advance(1_000);
    expect(b.runs[1]!.request).toMatchObject({ attempt: 1, counts: true });
    await b.answer(0, success);
    expect(b.scheduler.inspect(refOf("a"))).toMatchObject({ running: true });
  });

  test("S14 a requeue, a backoff, a uid and a spacing survive the process", async () => {
    const b = start({ startsPerMinute: 2 });
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
    const b = start();
    const { epoch } = await b.accept(triggerOf("a"));
    await b.restart();
    expect((await b.accept(triggerOf("a"))).epoch).toBe(epoch);
  });

  test("S18 a clock that was put back while nobody looked delays nothing", async () => {
    const b = start();
    await b.accept(triggerOf("a"));
    await b.clock.settle();
    await b.answer(0, requeue(60_000));
    b.clock.step(-24 * 3_600_000);
    await b.restart();
    await b.clock.advance(60_000);
    expect(b.runs).toHaveLength(2);
  });
}
