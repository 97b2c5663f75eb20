import { expect, test } from "vitest";
import { keyOf } from "../../functions/contract/index.ts";
import { failure, refOf, requeue, success, triggerOf } from "../support/shard.ts";
import { driven } from "./driven.ts";

const a = triggerOf("a");
const KEY = keyOf(refOf("a"));

test("S6 a close cuts off what runs: its entry is committed as it was before, and counts nothing", async () => {
  const d = await driven();
  await d.accept(a)();
  await d.answer(0, failure({ uid: "u" }));
  const before = d.store.rows.get(KEY)!;
  await d.clock.advance(1_000);
  await d.scheduler.close();
  const { writtenAt, place, ...after } = d.store.rows.get(KEY)!;
  expect(before).toMatchObject(after);
  expect([after.attempt, after.lost, after.lease]).toEqual([1, 0, null]);
});

test("S6 what a close cut off runs again with the next process, all at once", async () => {
  const d = await driven();
  await d.accept(a, triggerOf("b"), triggerOf("c"))();
  await d.stopAndStart();
  expect(d.names()).toEqual(["a", "b", "c", "a", "b", "c"]);
  expect(d.runs[3]!.request).toMatchObject({ attempt: 0, counts: true, reasons: ["object-updated"] });
});

test("S6 a close takes the answers that have arrived", async () => {
  const waiting: (() => void)[] = [];
  const d = await driven({}, { defer: (work) => void waiting.push(work) });
  d.accept(a);
  for (const work of waiting.splice(0)) work();
  await d.clock.settle();
  await d.answer(0, requeue(60_000));
  await d.scheduler.close();
  expect(d.store.rows.get(KEY)).toMatchObject({ lease: null, reasons: ["requeue"] });
});

test("S3 a close lets go of the store once all is committed, and answers what was under way", async () => {
  const d = await driven();
  d.store.hold();
  const accepted = d.accept(a);
  await d.clock.settle();
  const closed = d.standing(d.scheduler.close());
  expect([await accepted(), await closed(), d.store.closes]).toEqual(["waits", "waits", 0]);
  d.store.release();
  expect([await accepted(), await closed(), d.store.closes]).toEqual(["done", "done", 1]);
  expect(d.names()).toEqual([]); // nothing starts any more
  expect(d.store.rows.get(KEY)).toMatchObject({ lease: null, reasons: ["object-updated"] });
});

test("S6 where the store cannot commit it any more, the next process takes what ran for lost", async () => {
  const d = await driven();
  await d.accept(a)();
  d.store.fails = { rejects: "disk full" };
  await d.scheduler.close();
  expect(d.store.closes).toBe(1);
  expect(d.logger.lines.some(({ level, fields }) => level === "error" && String(fields?.error).includes("full"))).toBe(
    true,
  );
  await d.restart();
  expect(d.store.rows.get(KEY)).toMatchObject({ attempt: 0, lost: 1 });
});

test("S5 a run that its process cut off is not listened to any more", async () => {
  const d = await driven();
  await d.accept(a)();
  await d.scheduler.close();
  const before = d.store.rows.get(KEY);
  await d.answer(0, success);
  await d.clock.advance(120_000);
  expect(d.store.rows.get(KEY)).toEqual(before);
  expect(d.names()).toEqual(["a"]);
});

test("S5 where runs outlive the process, a close leaves their leases", async () => {
  const d = await driven({}, { runsInProcess: false });
  await d.accept(a)();
  await d.scheduler.close();
  expect(d.store.rows.get(KEY)).toMatchObject({ lease: { id: d.runs[0]!.request.lease } });
});

test("S8 a lease that stands after a refusal outlives a close", async () => {
  const d = await driven();
  await d.accept(a)();
  await d.refuse(0, { ours: false });
  await d.scheduler.close();
  expect(d.store.rows.get(KEY)).toMatchObject({ lease: { refused: true } });
});

test("closing twice is as closing once", async () => {
  const d = await driven();
  await d.accept(a)();
  await d.scheduler.close();
  await d.scheduler.close();
  expect(d.store.closes).toBe(1);
});
