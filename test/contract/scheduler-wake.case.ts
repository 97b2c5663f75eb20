import { afterEach, test as anyTest, expect } from "vitest";
import { createVirtualClock } from "../../adapters/testing/virtual-clock.ts";
import { type ReconcileAnswer, type ReconcileRequest, schedulingOptions } from "../../functions/contract/index.ts";
import type { Scheduler } from "../../functions/ports/index.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { CONTROLLER, requeue, success, triggerOf } from "../support/shard.ts";
import type { SchedulerAdapter, Within } from "./scheduler-bench.ts";

/** S4, R12: what `wake` repairs, shown on a platform that has lost every timer. */
export function testWake(create: () => SchedulerAdapter, flags: Scheduler["flags"], within: Within): void {
  const test = (name: string, run: () => Promise<void>) => anyTest(name, () => within(run));
  let adapter: SchedulerAdapter | undefined;
  afterEach(() => adapter?.cleanUp());

  async function start() {
    const clock = createVirtualClock(Date.UTC(2026, 0, 1));
    const runs: { request: ReconcileRequest; answer: (answer: ReconcileAnswer) => Promise<void> }[] = [];
    const made = create();
    adapter = made;
    const options = {
      controllers: new Map([[CONTROLLER, schedulingOptions.parse({})]]),
      clusters: new Set(["home"]),
      clock: { ...clock, setTimer: () => () => {} },
      logger: recordingLogger(),
      random: () => 0.5,
      invoker: {
        invoke: (request: ReconcileRequest) =>
          new Promise<ReconcileAnswer>((resolve) => {
            const answer = (given: ReconcileAnswer) => {
              resolve(given);
              return clock.settle();
            };
            runs.push({ request, answer });
          }),
      },
    };
    let scheduler = await made.open(options);
    return {
      clock,
      runs,
      accept: (name: string, revision?: string) => scheduler.accept("home", [triggerOf(name, { revision })]),
      async wake() {
        const accepted = await scheduler.wake("home");
        await clock.settle();
        return accepted;
      },
      close: () => scheduler.close(),
      async restart() {
        await made.crash();
        scheduler = await made.open(options);
        await clock.settle();
      },
    };
  }

  test("S4 wake starts what is due and says when to come again", async () => {
    const b = await start();
    const { epoch } = await b.accept("a");
    await b.clock.settle();
    await b.runs[0]!.answer(requeue(60_000));
    await b.clock.advance(59_999);
    expect(await b.wake()).toEqual({ nextWakeInMs: 1, epoch });
    expect(b.runs).toHaveLength(1);
    await b.clock.advance(1);
    expect(await b.wake()).toEqual({ nextWakeInMs: 65_000, epoch }); // the end of the lease
    expect(b.runs[1]!.request).toMatchObject({ key: { name: "a" }, reasons: ["requeue"] });
    await b.runs[1]!.answer(success);
    expect(await b.wake()).toEqual({ nextWakeInMs: null, epoch });
  });

  test("S4, S5 wake ends a lease whose run never answered", async () => {
    const b = await start();
    await b.accept("a");
    await b.clock.settle();
    await b.clock.advance(65_000);
    expect((await b.wake()).nextWakeInMs).toBe(1_000); // the retry
    await b.clock.advance(1_000);
    await b.wake();
    expect(b.runs[1]!.request).toMatchObject({ attempt: 1, reasons: ["error-retry"] });
  });

  test("S2 wake starts no run twice, however often and at once it is called", async () => {
    const b = await start();
    await b.accept("a");
    await Promise.all([b.wake(), b.wake(), b.wake()]);
    expect(b.runs).toHaveLength(1);
  });

  test("a closed scheduler is not woken", async () => {
    const b = await start();
    await b.close();
    await expect(b.wake()).rejects.toThrow("closed");
  });

  if (!flags.durable) return;
  test("F7, S14 the revision that is asked for survives the process", async () => {
    const b = await start();
    await b.accept("a", "new");
    await b.clock.settle();
    await b.runs[0]!.answer({ ...success, revision: "old" });
    await b.restart();
    await b.clock.advance(60_000);
    await b.wake();
    await b.runs[1]!.answer({ ...success, revision: "old" });
    expect((await b.wake()).nextWakeInMs).toBe(60_000);
  });
}
