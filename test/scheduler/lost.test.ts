import { expect, test } from "vitest";
import { LOST_SPACING_MS } from "../../adapters/scheduler/lost.ts";
import { failure, names, requeue, Shard, success } from "../support/shard.ts";

const BACKOFF = { baseMs: 1_000, factor: 2, maxMs: 60_000, jitter: 0 };
const ABC = ["a", "b", "c"];

/** A shard whose process ended while these keys ran. */
function afterCrash(keys: readonly string[] = ABC) {
  const shard = new Shard({ backoff: BACKOFF, concurrency: 100 });
  shard.batch(keys);
  return { shard, first: shard.crash() };
}

test("S6 a run that was lost with its process is restored whole, and costs its key nothing", () => {
  const shard = new Shard({ backoff: BACKOFF, concurrency: 1 });
  shard.answer(shard.trigger("a", { lane: "resync", reason: "bulk" })[0]!, failure({ uid: "u" }));
  const before = shard.entry("a")!;
  const [run] = shard.wake();
  shard.now += 3;
  shard.crash({ controllers: [] });
  expect(shard.entry("a")).toEqual({ ...before, lost: 1, place: before.due, writtenAt: shard.now });
  expect(run).toMatchObject({ attempt: 1 });
});

test("S6 what came during a lost run is merged with what the run took", () => {
  const shard = new Shard();
  const due = shard.now;
  shard.trigger("a", { lane: "resync", reason: "bulk" });
  shard.now += 5;
  shard.trigger("a", { lane: "live", reason: "webhook" });
  shard.crash({ controllers: [] });
  expect(shard.entry("a")).toMatchObject({ due, queue: "live", liveSince: due + 5, reasons: ["bulk", "webhook"] });
});

test("S6 a lost run is no start for the budget of its key (S19)", () => {
  const shard = new Shard({ startsPerMinute: 2, backoff: BACKOFF });
  shard.trigger("a");
  const [run] = shard.crash();
  expect(shard.entry("a")).toMatchObject({ overBudgetUntil: null });
  shard.answer(run!, success);
  expect(shard.trigger("a")).toHaveLength(1);
});

test("S6 lost keys run one at a time: the next one starts when the last one has ended", () => {
  const { shard, first } = afterCrash();
  expect(names(first)).toEqual(["a"]);
  const second = shard.answer(first[0]!, success);
  expect(names(second)).toEqual(["b"]);
  expect(names(shard.answer(second[0]!, failure()))).toEqual(["c"]);
});

test("S6, S4 or when the last one has run for 5 s, and the shard is woken for that", () => {
  const { shard, first } = afterCrash();
  expect(shard.wakeInMs()).toBe(LOST_SPACING_MS);
  shard.now += LOST_SPACING_MS - 1;
  expect(shard.step()).toEqual([]);
  shard.now += 1;
  expect(names(shard.step())).toEqual(["b"]);
  expect(shard.running()).toEqual(["a", "b"]);
  shard.answer(first[0]!, success);
  expect(shard.running()).toEqual(["b"]); // the last one is b
});

test("S6 keys that were not lost run beside them", () => {
  const { shard } = afterCrash();
  expect(names(shard.batch(["x", "y"]))).toEqual(["x", "y"]);
});

test("S6 a lost key starts before the lanes of its line", () => {
  const shard = new Shard({ concurrency: 1 });
  shard.trigger("a", { lane: "resync" });
  shard.trigger("live");
  expect(names(shard.crash())).toEqual(["a"]);
});

test("S6 lost keys run one at a time over all lines, which take turns", () => {
  const shard = new Shard({}, { clusters: ["one", "two"] });
  for (const cluster of ["one", "two"])
    shard.batch(
      ABC.map((name) => `${cluster}-${name}`),
      { cluster },
    );
  const order: string[] = [];
  for (let [run] = shard.crash(); run; ) {
    order.push(run.key.name);
    const next = shard.answer(run, success);
    expect(next.length).toBeLessThanOrEqual(1);
    [run] = next;
  }
  expect(order).toEqual(["one-a", "two-a", "one-b", "two-b", "one-c", "two-c"]);
});

test("S6 a lost key counts as failed when it is lost twice in a row, and each time from then on", () => {
  const { shard } = afterCrash(["a"]);
  expect(shard.running()).toEqual(["a"]);
  for (const attempt of [1, 2, 3]) {
    expect(shard.crash()).toEqual([]);
    expect(shard.entry("a")).toMatchObject({ attempt, due: shard.now + 1_000 * 2 ** (attempt - 1), lost: attempt + 1 });
    expect(shard.wake()).toMatchObject([
      { attempt, counts: true, reasons: ["error-retry", "object-updated"].slice(0, 1) },
    ]);
  }
});

test.each([
  ["an answer", requeue(30_000)],
  ["a failure", failure()],
])("S6 %s in between ends the row", (_, answer) => {
  const { shard, first } = afterCrash(["a"]);
  shard.answer(first[0]!, answer);
  shard.now += 60_000;
  shard.trigger("a");
  const { attempt } = shard.entry("a")!;
  shard.crash();
  expect(shard.entry("a")).toMatchObject({ attempt, lost: 1 });
});

test("S6 a refusal leaves the row as it is", () => {
  const { shard, first } = afterCrash(["a"]);
  shard.refuse(first[0]!);
  shard.wake();
  shard.crash();
  expect(shard.entry("a")).toMatchObject({ attempt: 1, lost: 2 });
});

test("S6 an orderly stop cuts runs off and counts nothing, however often, and they need not run one at a time", () => {
  const shard = new Shard({ backoff: BACKOFF, concurrency: 100 });
  shard.batch(ABC);
  for (let stop = 0; stop < 3; stop++) expect(names(shard.stop())).toEqual(ABC);
  expect(shard.entry("a")).toMatchObject({ attempt: 0, lost: 0 });
});

test("S6 an orderly stop leaves the row of a lost key as it is", () => {
  const { shard } = afterCrash(["a"]);
  shard.stop();
  expect(shard.entry("a")).toMatchObject({ attempt: 0, lost: 1 });
});

test("S5, S6 a lease that another process left behind ends as a lost run, one of its own as a failure", () => {
  const shard = new Shard({ backoff: BACKOFF });
  shard.trigger("a");
  shard.reload();
  expect(shard.wake()).toMatchObject([{ attempt: 0, counts: true }]);
  expect(shard.entry("a")).toMatchObject({ lost: 1 });
  shard.wake();
  expect(shard.entry("a")).toMatchObject({ attempt: 1, lost: 0 });
});

test("S8 after a pause a lost key probes that was not refused, and where all were, the one of the longest ago", () => {
  const { shard, first } = afterCrash(["a", "b"]);
  shard.refuse(first[0]!);
  const probe = shard.wake();
  expect(names(probe)).toEqual(["b"]);
  shard.now += 1;
  shard.refuse(probe[0]!);
  expect(names(shard.wake())).toEqual(["a"]);
});

test("S14 a reload keeps lost keys apart", () => {
  const { shard } = afterCrash();
  shard.answer(shard.wake()[0]!, requeue(60_000));
  shard.stop();
  expect(shard.running()).toEqual(["a"]);
});
