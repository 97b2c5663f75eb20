import { expect, test } from "vitest";
import { keyOf } from "../../functions/contract/index.ts";
import { refOf, requeue, success, triggerOf } from "../support/shard.ts";
import { driven } from "./driven.ts";

const a = triggerOf("a");
const KEY = keyOf(refOf("a"));

test("S3 in the first minute after a load a run starts only once its lease is committed", async () => {
  const d = await driven();
  await d.clock.advance(59_999);
  d.store.hold();
  const accepted = d.accept(a);
  expect([await accepted(), d.names()]).toEqual(["waits", []]);
  d.store.release();
  expect([await accepted(), d.names()]).toEqual(["done", ["a"]]);
});

test("S3 later a run starts beside the commit, which is answered first all the same", async () => {
  const d = await driven();
  await d.pastTheCarefulMinute();
  d.store.hold();
  const accepted = d.accept(a);
  expect([await accepted(), d.names()]).toEqual(["waits", ["a"]]);
  await d.answer(0, success);
  expect(await accepted()).toBe("waits");
  d.store.release();
  expect(await accepted()).toBe("done");
});

test("S3 where runs outlive the process none starts before its commit, however long after the load", async () => {
  const d = await driven({}, { runsInProcess: false });
  await d.clock.advance(3_600_000);
  d.store.hold();
  const accepted = d.accept(a);
  expect([await accepted(), d.names()]).toEqual(["waits", []]);
  d.store.release();
  expect([await accepted(), d.names()]).toEqual(["done", ["a"]]);
});

test("S3 a key that was once lost starts only once its lease is committed, however long after the load", async () => {
  const d = await driven();
  d.accept(a);
  await d.clock.settle();
  await d.restart();
  await d.refuse(1, { retryAfterMs: 120_000 });
  d.store.hold();
  await d.clock.advance(120_000);
  expect(d.names()).toEqual(["a", "a"]);
  d.store.release();
  await d.clock.settle();
  expect(d.names()).toEqual(["a", "a", "a"]);
});

test("S3 if the commit fails the trigger is refused, its run keeps its lease, and the answer is committed later", async () => {
  const d = await driven();
  await d.pastTheCarefulMinute();
  d.store.fails = { rejects: "disk full" };
  const accepted = d.accept(a);
  expect([await accepted(), d.names()]).toEqual(["refused", ["a"]]);
  expect(d.scheduler.inspect(refOf("a"))).toMatchObject({ running: true });
  await d.answer(0, requeue(60_000));
  expect(d.store.rows.has(KEY)).toBe(false);
  d.store.fails = {};
  await d.clock.advance(1_000);
  expect(d.store.rows.get(KEY)).toMatchObject({ lease: null, reasons: ["requeue"] });
  expect(d.names()).toEqual(["a"]);
});

test("S3 a run that waits for its commit does not start when that fails, and runs once the store works", async () => {
  const d = await driven();
  d.store.fails = { rejects: "disk full" };
  const accepted = d.accept(a);
  expect([await accepted(), d.names()]).toEqual(["refused", []]);
  d.store.fails = {};
  await d.clock.advance(2_000);
  expect(d.runs.map(({ request }) => request)).toMatchObject([{ attempt: 0, counts: true }]);
  expect(d.store.rows.get(KEY)).toMatchObject({ lease: { id: d.runs[0]!.request.lease } });
});

test("S3 a trigger that merges into an entry whose commit is under way is answered after that commit", async () => {
  const d = await driven({ debounceMs: 60_000 });
  d.store.hold();
  const first = d.accept(a);
  expect(await first()).toBe("waits");
  const merged = d.accept(a);
  expect(await merged()).toBe("waits");
  d.store.release();
  expect([await first(), await merged()]).toEqual(["done", "done"]);
  expect(d.store.rows.size).toBe(1);
});

test("S3 a trigger that merges into an entry whose commit failed is refused until the store works", async () => {
  const d = await driven({ debounceMs: 60_000 });
  d.store.fails = { rejects: "disk full" };
  expect(await d.accept(a)()).toBe("refused");
  expect(await d.accept(a)()).toBe("refused");
  d.store.fails = {};
  expect(await d.accept(a)()).toBe("done");
  expect(d.store.rows.size).toBe(1);
});

test("S3 a wake with nothing to do waits for what is being committed", async () => {
  const d = await driven({ debounceMs: 60_000 });
  d.store.hold();
  d.accept(a);
  await d.clock.settle();
  const woken = d.wake();
  expect(await woken()).toBe("waits");
  d.store.release();
  expect(await woken()).toBe("done");
});

test("S3 nothing starts while the store fails, and everything goes on after", async () => {
  const d = await driven();
  await d.pastTheCarefulMinute();
  d.store.fails = { rejects: "disk full" };
  await d.accept(a)();
  expect(d.names()).toEqual(["a"]);
  for (const name of ["b", "c"]) expect(await d.accept(triggerOf(name))()).toBe("refused");
  await d.clock.advance(10_000);
  expect(d.names()).toEqual(["a"]);
  d.store.fails = {};
  await d.clock.advance(1_000);
  expect(d.names().sort()).toEqual(["a", "b", "c"]);
  expect(await d.accept(triggerOf("d"))()).toBe("done");
  expect(d.names()).toContain("d");
});

test("S3 where a store keeps nothing of what it fails to commit, triggers are refused and answers are kept", async () => {
  const d = await driven({}, { runsInProcess: false });
  await d.accept(a)();
  d.store.fails = { throws: "disk full" };
  expect(await d.accept(triggerOf("b"))()).toBe("refused");
  await d.answer(0, requeue(60_000));
  expect(d.scheduler.size()).toEqual({ entries: 1, running: 1 });
  d.store.fails = {};
  await d.clock.advance(1_000);
  expect(d.store.rows.get(KEY)).toMatchObject({ lease: null, reasons: ["requeue"] });
  expect(d.names()).toEqual(["a"]);
});

test("S3 a drain waits until the last answer is committed", async () => {
  const d = await driven();
  await d.accept(a)();
  const drained = d.standing(d.scheduler.drain());
  expect(await drained()).toBe("waits");
  d.store.hold();
  await d.answer(0, requeue(60_000));
  expect(await drained()).toBe("waits");
  d.store.release();
  expect(await drained()).toBe("done");
  expect(d.store.rows.get(KEY)).toMatchObject({ lease: null });
});
