import { expect, test } from "vitest";
import { failure, gone, refOf, requeue, Shard, success, terminal } from "../support/shard.ts";

const BACKOFF = { baseMs: 1_000, factor: 2, maxMs: 10_000, jitter: 0 };

test("S6 failures that count are spaced further and further, up to the cap, and never end", () => {
  const shard = new Shard({ backoff: BACKOFF });
  let [run] = shard.trigger("a");
  const waits: number[] = [];
  for (let i = 0; i < 8; i++) {
    shard.answer(run!, failure());
    waits.push(shard.wakeInMs()!);
    [run] = shard.wake();
    expect(run).toMatchObject({ attempt: i + 1, counts: true, reasons: ["error-retry"] });
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000, 10_000]);
});

test("S6 an event during backoff runs early, and its failure moves neither count nor backoff", () => {
  const shard = new Shard({ backoff: BACKOFF });
  const [run] = shard.trigger("a");
  shard.answer(run!, failure({ retryAfterMs: 60_000 }));
  const backoffUntil = shard.entry("a")!.backoffUntil;
  shard.now += 5_000;
  const [early] = shard.trigger("a");
  expect(early).toMatchObject({ attempt: 1, counts: false });
  shard.answer(early!, failure());
  expect(shard.entry("a")).toMatchObject({ attempt: 1, backoffUntil, due: backoffUntil });
});

test("S6 early runs that fail are spaced from the last start by base × 2^k, and never beyond the backoff", () => {
  const shard = new Shard({ backoff: { ...BACKOFF, maxMs: 600_000 } });
  const [run] = shard.trigger("a");
  shard.answer(run!, failure({ retryAfterMs: 20_000 }));
  const waits: number[] = [];
  for (;;) {
    shard.trigger("a");
    waits.push(shard.wakeInMs()!);
    const [next] = shard.wake();
    if (next!.counts) break;
    shard.answer(next!, failure());
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 5_000]);
});

test("S7 a RetryAfterError sets the delay of a run that counts", () => {
  const shard = new Shard();
  const [run] = shard.trigger("a");
  shard.answer(run!, failure({ retryAfterMs: 123_000 }));
  expect(shard.entry("a")).toMatchObject({ attempt: 1, backoffUntil: shard.now + 123_000 });
});

test.each([
  ["later", 90_000, 90_000],
  ["never sooner", 1_000, 55_000],
])("S7 in an early run a RetryAfterError moves the backoff %s", (_, retryAfterMs, left) => {
  const shard = new Shard();
  const [run] = shard.trigger("a");
  shard.answer(run!, failure({ retryAfterMs: 60_000 }));
  shard.now += 5_000;
  const [early] = shard.trigger("a");
  shard.answer(early!, failure({ retryAfterMs }));
  expect(shard.entry("a")).toMatchObject({ attempt: 1, backoffUntil: shard.now + left });
});

test.each([
  ["success", success],
  ["terminal", terminal],
  ["gone", gone],
])("S7 %s clears the count and the backoff, in an early run too", (_, answer) => {
  const shard = new Shard();
  const [run] = shard.trigger("a");
  shard.answer(run!, failure({ retryAfterMs: 60_000 }));
  shard.now += 5_000;
  const [early] = shard.trigger("a");
  shard.answer(early!, answer);
  expect(shard.entry("a")).toBeUndefined();
  expect(shard.trigger("a")[0]).toMatchObject({ attempt: 0, counts: true });
});

test("S7 more than three immediate requeues in a row are spaced to one a second", () => {
  const shard = new Shard();
  let [run] = shard.trigger("a");
  for (let i = 0; i < 3; i++) [run] = shard.answer(run!, requeue(0));
  expect(shard.answer(run!, requeue(0))).toEqual([]);
  expect(shard.wakeInMs()).toBe(1_000);
  [run] = shard.wake();
  shard.answer(run!, requeue(0));
  expect(shard.wakeInMs()).toBe(1_000);
});

test("S9 a delay is cut to 180 days, and wakes nobody before", () => {
  const shard = new Shard();
  const [run] = shard.trigger("a");
  shard.answer(run!, requeue(Number.MAX_SAFE_INTEGER));
  expect(shard.wakeInMs()).toBe(180 * 24 * 60 * 60 * 1000);
});

test("S13 a recreated object does not inherit the backoff of its predecessor", () => {
  const shard = new Shard({ backoff: BACKOFF });
  let [run] = shard.trigger("a");
  for (let i = 0; i < 4; i++) {
    shard.answer(run!, failure({ uid: "old" }));
    [run] = shard.wake();
  }
  shard.answer(run!, failure({ uid: "old" }));
  shard.now += 2_000;
  const [early] = shard.trigger("a");
  expect(early).toMatchObject({ uid: "old", attempt: 5, counts: false });
  shard.answer(early!, failure({ uid: "new" }));
  expect(shard.entry("a")).toMatchObject({ uid: "new", attempt: 1, backoffUntil: shard.now + 1_000 });
});

test("S13 a trigger never changes the uid", () => {
  const shard = new Shard();
  const [run] = shard.trigger("a");
  shard.answer(run!, failure({ uid: "seen", retryAfterMs: 60_000 }));
  shard.now += 2_000;
  expect(shard.trigger("a", { uid: "claimed" })[0]).toMatchObject({ uid: "seen" });
});

test("S13 gone keeps a trigger that came during the run, and nothing else", () => {
  const shard = new Shard();
  const [run] = shard.trigger("a");
  shard.answer(run!, failure({ uid: "old", retryAfterMs: 60_000 }));
  shard.now += 2_000;
  const [early] = shard.trigger("a");
  shard.trigger("a");
  const [after] = shard.answer(early!, gone);
  expect(after).toMatchObject({ attempt: 0, counts: true });
  expect(after).not.toHaveProperty("uid");
  shard.answer(after!, gone);
  expect(shard.state.size).toBe(0);
  expect(refOf("a")).toEqual(early!.key);
});
