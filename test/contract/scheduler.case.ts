import { afterEach, test as anyTest, expect } from "vitest";
import type { Scheduler } from "../../functions/ports/index.ts";
import { failure, refOf, requeue, success, triggerOf } from "../support/shard.ts";
import { bench, type SchedulerAdapter, type Suite, type Within } from "./scheduler-bench.ts";
import { testDurability } from "./scheduler-durability.case.ts";
import { testFull } from "./scheduler-full.case.ts";
import { testLanes } from "./scheduler-lanes.case.ts";
import { testLines } from "./scheduler-lines.case.ts";
import { testLost } from "./scheduler-lost.case.ts";
import { testParking } from "./scheduler-parking.case.ts";
import { testPauses } from "./scheduler-pauses.case.ts";
import { testWake } from "./scheduler-wake.case.ts";

/** What every scheduler adapter keeps, whatever it is made of. */
export function testScheduler(
  create: () => SchedulerAdapter,
  flags: Scheduler["flags"],
  within: Within = (run) => run(),
): void {
  let adapter: SchedulerAdapter | undefined;
  const start: Suite["start"] = (scheduling, declared) => {
    adapter = create();
    return bench(adapter, scheduling, declared);
  };
  const test = (name: string, run: () => Promise<void>) => anyTest(name, () => within(run));
  afterEach(() => adapter?.cleanUp());

  test("its flags are true", async () => expect((await start()).scheduler.flags).toEqual(flags));

  test("an accepted trigger starts a run at once, and success forgets the key", async () => {
    const b = await start();
    const accepted = await b.accept(triggerOf("a"));
    expect(accepted.nextWakeInMs).toBe(65_000); // S4: the end of the lease
    await b.clock.settle();
    expect(b.runs.map(({ request }) => request)).toMatchObject([
      { key: refOf("a"), reasons: ["object-updated"], attempt: 0, counts: true, deadlineMs: 60_000 },
    ]);
    await b.answer(0, success);
    expect(b.scheduler.size()).toEqual({ entries: 0, running: 0 });
  });

  test("S2 a key never runs twice at once, and triggers meanwhile cause one more run", async () => {
    const b = await start();
    await b.accept(triggerOf("a"));
    await b.accept(triggerOf("a"));
    await b.accept(triggerOf("a"), triggerOf("b"));
    await b.clock.settle();
    expect(b.runs.map(({ request }) => request.key.name)).toEqual(["a", "b"]);
    await b.answer(0, success);
    expect(b.runs).toHaveLength(3);
    await b.answer(2, success);
    expect(b.runs).toHaveLength(3);
  });

  test("S4 a requeue comes on its time, and the timer of another key does not delay it", async () => {
    const b = await start();
    await b.accept(triggerOf("a"), triggerOf("b"));
    await b.clock.settle();
    await b.answer(0, requeue(300_000));
    await b.answer(1, requeue(60_000));
    await b.clock.advance(59_999);
    expect(b.runs).toHaveLength(2);
    await b.clock.advance(1);
    expect(b.runs[2]!.request).toMatchObject({ key: { name: "b" }, reasons: ["requeue"] });
    await b.answer(2, success);
    await b.clock.advance(240_000);
    expect(b.runs[3]!.request.key.name).toBe("a");
  });

  test("S6 failures grow the backoff and a success ends it", async () => {
    const b = await start();
    await b.accept(triggerOf("a"));
    await b.clock.settle();
    await b.answer(0, failure());
    await b.clock.advance(1_000);
    await b.answer(1, failure());
    await b.clock.advance(1_999);
    expect(b.runs).toHaveLength(2);
    await b.clock.advance(1);
    expect(b.runs[2]!.request).toMatchObject({ attempt: 2, reasons: ["error-retry"] });
    await b.answer(2, success);
    expect(b.scheduler.inspect(refOf("a"))).toBeUndefined();
  });

  anyTest.each([
    ["nonsense", { outcome: "maybe" }],
    ["nothing", undefined],
    ["S9 a delay that is no number", { ...success, action: { requeueAfterMs: Number.NaN } }],
    ["S9 a negative delay", requeue(-1)],
    ["S9 an infinite delay", { ...success, action: { requeueAfterMs: Number.POSITIVE_INFINITY } }],
  ])("S6 an answer that is %s counts as a failure", (_, answer) =>
    within(async () => {
      const b = await start();
      await b.accept(triggerOf("a"));
      await b.clock.settle();
      await b.answer(0, answer);
      expect(b.scheduler.inspect(refOf("a"))).toMatchObject({ attempt: 1, dueInMs: 1_000, running: false });
    }),
  );

  test("S6 an invoker that fails counts as a failure, and its message is logged", async () => {
    const b = await start();
    await b.accept(triggerOf("a"));
    await b.clock.settle();
    b.runs[0]!.fail(new Error("the function broke"));
    await b.clock.settle();
    expect(b.scheduler.inspect(refOf("a"))).toMatchObject({ attempt: 1 });
    expect(
      b.logger.lines.some(({ level, fields }) => level === "error" && String(fields?.error).includes("broke")),
    ).toBe(true);
  });

  test("S5 a run that never answers is taken over when its lease ends, and its late answer is discarded", async () => {
    const b = await start();
    await b.accept(triggerOf("a"));
    await b.clock.advance(65_000);
    await b.clock.advance(1_000);
    expect(b.runs[1]!.request).toMatchObject({ attempt: 1 });
    await b.answer(0, requeue(1));
    expect(b.scheduler.inspect(refOf("a"))).toMatchObject({ running: true, attempt: 1 });
  });

  test("S9 an entry due in 180 days wakes nobody before", async () => {
    const b = await start();
    await b.accept(triggerOf("a"));
    await b.clock.settle();
    await b.answer(0, requeue(200 * 24 * 3_600_000));
    await b.clock.advance(180 * 24 * 3_600_000 - 1);
    expect(b.runs).toHaveLength(1);
    await b.clock.advance(1);
    expect(b.runs).toHaveLength(2);
  });

  test("S12 concurrency 1 runs one at a time and loses none", async () => {
    const b = await start({ concurrency: 1 });
    await b.accept(...["a", "b", "c"].map((name) => triggerOf(name)));
    await b.clock.settle();
    for (const name of ["a", "b", "c"]) {
      expect(b.runs.at(-1)!.request.key.name).toBe(name);
      await b.answer(b.runs.length - 1, success);
    }
    expect(b.runs).toHaveLength(3);
  });

  test("S18 a wall clock that steps back delays nothing", async () => {
    const b = await start();
    await b.accept(triggerOf("a"));
    await b.clock.settle();
    await b.answer(0, requeue(60_000));
    b.clock.step(-3_600_000);
    await b.accept(triggerOf("b"));
    await b.clock.advance(60_000);
    expect(b.runs.map(({ request }) => request.key.name)).toEqual(["a", "b", "a"]);
  });

  test("S18 a wall clock that leaps ahead ends no lease", async () => {
    const b = await start();
    await b.accept(triggerOf("a"));
    await b.clock.settle();
    b.clock.step(3_600_000);
    await b.accept(triggerOf("a"), triggerOf("b"));
    await b.clock.settle();
    expect(b.runs.map(({ request }) => request.key.name)).toEqual(["a", "b"]);
  });

  test("drain starts nothing more, takes triggers all the same, and waits for what runs", async () => {
    const b = await start();
    await b.accept(triggerOf("a"));
    await b.clock.settle();
    let drained = false;
    const draining = b.scheduler.drain().then(() => {
      drained = true;
    });
    await b.accept(triggerOf("b"));
    await b.clock.advance(1_000); // S4: what is due and may not start sets no timer
    expect([b.runs.length, drained]).toEqual([1, false]);
    await b.answer(0, success);
    await draining;
    expect(b.scheduler.size()).toEqual({ entries: 1, running: 0 });
  });

  test("a closed scheduler takes no trigger", async () => {
    const b = await start();
    await b.scheduler.close();
    await expect(b.accept(triggerOf("a"))).rejects.toThrow("closed");
  });

  const suite: Suite = { start, test, durable: flags.durable };
  testPauses(suite);
  testLanes(suite);
  testLines(suite);
  testFull(suite);
  testParking(suite);
  testWake(create, flags, within);
  if (!flags.durable) return;
  testDurability(suite);
  testLost(suite);
}
