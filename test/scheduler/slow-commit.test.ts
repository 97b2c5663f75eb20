import { expect, test } from "vitest";
import { keyOf } from "../../functions/contract/index.ts";
import { refOf, requeue, success, triggerOf } from "../support/shard.ts";
import { driven } from "./driven.ts";

const a = triggerOf("a");
const KEY = keyOf(refOf("a"));
const LEASE_MS = 65_000;

test("S5 an answer that arrived is taken, though the process looks only after the lease has ended", async () => {
  const waiting: (() => void)[] = [];
  const work = () => {
    for (const each of waiting.splice(0)) each();
  };
  const d = await driven({}, { defer: (each) => void waiting.push(each) });
  d.accept(a);
  work();
  await d.clock.settle();
  await d.answer(0, requeue(300_000));
  await d.clock.advance(LEASE_MS + 5_000); // what was deferred waits as long: the event loop is held up
  work();
  await d.clock.settle();
  expect(d.scheduler.inspect(refOf("a"))).toMatchObject({ attempt: 0, reasons: ["requeue"] });
});

test("S5 an answer that comes during a commit of 70 s is kept, and no run starts twice", async () => {
  const d = await driven();
  await d.accept(a)();
  d.store.hold();
  d.accept(triggerOf("b"));
  await d.clock.advance(10_000);
  await d.answer(0, requeue(300_000));
  await d.releaseAfter(60_000);
  expect(d.names()).toEqual(["a", "b"]);
  expect(d.store.rows.get(KEY)).toMatchObject({ attempt: 0, lease: null, reasons: ["requeue"] });
});

test("S5 a run that waited 70 s for its commit has all its time, and its lease ends after that", async () => {
  const d = await driven();
  d.store.hold();
  d.accept(a);
  await d.releaseAfter(70_000);
  expect(d.runs.map(({ request }) => request)).toMatchObject([{ attempt: 0, deadlineMs: 60_000 }]);
  await d.clock.advance(LEASE_MS - 1);
  expect(d.scheduler.inspect(refOf("a"))).toMatchObject({ running: true });
  await d.clock.advance(1); // S4: woken for it, and no earlier
  expect(d.scheduler.inspect(refOf("a"))).toMatchObject({ running: false, attempt: 1 });
});

test("S5 a run in this process has all its time, however long its commit takes", async () => {
  const d = await driven();
  d.store.hold();
  d.accept(a);
  await d.releaseAfter(7_000);
  expect(d.runs.map(({ request }) => request.deadlineMs)).toEqual([60_000]);
});

test("S5 the answer of a run that waited 70 s for its commit is taken", async () => {
  const d = await driven();
  d.store.hold();
  d.accept(a);
  await d.releaseAfter(70_000);
  await d.clock.advance(60_000);
  await d.answer(0, success);
  expect(d.scheduler.size().entries).toBe(0);
});

test("S4 a commit that takes 70 s delays no wake-up that is due after it", async () => {
  const d = await driven();
  await d.accept(a)();
  await d.answer(0, requeue(100_000));
  d.store.hold();
  d.accept(triggerOf("b"));
  await d.releaseAfter(70_000);
  await d.answer(1, success);
  await d.clock.advance(29_999);
  expect(d.names()).toEqual(["a", "b"]);
  await d.clock.advance(1);
  expect(d.names()).toEqual(["a", "b", "a"]);
});

test("S5 where runs outlive the process, a commit of 7 s leaves a run 7 s less, and its lease as the rows say", async () => {
  const d = await driven({}, { runsInProcess: false });
  d.store.hold();
  d.accept(a);
  await d.releaseAfter(7_000);
  expect(d.runs.map(({ request }) => request.deadlineMs)).toEqual([53_000]);
  await d.clock.advance(LEASE_MS - 7_000 - 1);
  expect(d.scheduler.inspect(refOf("a"))).toMatchObject({ running: true });
  await d.clock.advance(1);
  expect(d.scheduler.inspect(refOf("a"))).toMatchObject({ running: false, attempt: 1 });
});

test("S5 where runs outlive the process, one that waited 70 s for its commit is never sent, and comes again whole", async () => {
  const d = await driven({}, { runsInProcess: false });
  d.store.hold();
  d.accept(a);
  await d.releaseAfter(70_000);
  await d.clock.settle();
  expect(d.runs.map(({ request }) => request)).toMatchObject([{ attempt: 0, counts: true, deadlineMs: 60_000 }]);
  expect(d.store.rows.get(KEY)?.lease?.id).toBe(d.runs[0]!.request.lease);
});
