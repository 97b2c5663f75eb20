import { expect, test } from "vitest";
import { failure, names, Shard, success } from "../support/shard.ts";

test("S8 a refusal pauses the line and restores the entry whole", () => {
  const shard = new Shard({ backoff: { baseMs: 1_000, factor: 2, maxMs: 60_000, jitter: 0 } });
  shard.answer(shard.trigger("a", { lane: "resync", reason: "bulk" })[0]!, failure({ uid: "u" }));
  const before = shard.entry("a")!;
  const [run] = shard.wake();
  shard.now += 3;
  expect(shard.refuse(run!, { retryAfterMs: 7_000 })).toEqual([]);
  expect(shard.entry("a")).toEqual({ ...before, refused: expect.anything(), writtenAt: shard.now });
  expect(shard.trigger("b")).toEqual([]);
  expect(shard.wakeInMs()).toBe(7_000); // S4: the pause's end
  expect(shard.notes).toEqual([
    { type: "paused", cluster: "home", controller: "documents", forMs: 7_000, status: 503 },
  ]);
});

test("S8 what came during a refused run is merged with what the run took", () => {
  const shard = new Shard();
  const [run] = shard.trigger("a", { lane: "resync", reason: "bulk" });
  shard.now += 5;
  shard.trigger("a", { lane: "live", reason: "webhook" });
  const due = shard.now - 5;
  shard.refuse(run!);
  expect(shard.entry("a")).toMatchObject({ due, queue: "live", liveSince: due + 5, reasons: ["bulk", "webhook"] });
});

test("S8 a refused run is no start that spaces early runs (S6)", () => {
  const shard = new Shard({ backoff: { baseMs: 10_000, factor: 2, maxMs: 60_000, jitter: 0 } });
  shard.answer(shard.trigger("a")[0]!, failure({ retryAfterMs: 60_000 }));
  shard.now += 20_000;
  const [early] = shard.trigger("a");
  shard.refuse(early!);
  expect(shard.wakeInMs()).toBe(1_000);
  expect(shard.wake()).toMatchObject([{ counts: false, attempt: 1, reasons: ["error-retry", "object-updated"] }]);
});

test("S8 a refused run is no start for the budget of its key (S19)", () => {
  const shard = new Shard({ startsPerMinute: 2 });
  for (let i = 0, run = shard.trigger("a")[0]; i < 5; i++, [run] = shard.wake()) shard.refuse(run!);
  expect(shard.entry("a")).toMatchObject({ overBudgetUntil: null, attempt: 0 });
});

test.each([
  ["nothing", undefined, 1_000],
  ["zero", 0, 1_000],
  ["a short time", 999, 1_000],
  ["a time", 2_500, 2_500],
  ["an hour", 3_600_000, 300_000],
  ["nonsense", Number.NaN, 1_000],
  ["a time in the past", -5, 1_000],
])("S8 a Retry-After of %s pauses for that, from 1 s to 5 min", (_, retryAfterMs, expected) => {
  const shard = new Shard();
  const [run] = shard.trigger("a");
  shard.refuse(run!, retryAfterMs === undefined ? {} : { retryAfterMs });
  expect(shard.wakeInMs()).toBe(expected);
});

test("S8 without a Retry-After pauses in a row double up to 5 min, and a success ends the row", () => {
  const shard = new Shard();
  let [run] = shard.trigger("a");
  const waits: number[] = [];
  for (let i = 0; i < 11; i++) {
    shard.refuse(run!);
    waits.push(shard.wakeInMs()!);
    [run] = shard.wake();
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map((s) => s * 1_000));
  shard.answer(run!, success);
  shard.refuse(shard.trigger("a")[0]!);
  expect(shard.wakeInMs()).toBe(1_000);
});

test("S8 refusals of runs that were under way together make one pause, of the longest Retry-After", () => {
  const shard = new Shard();
  const runs = ["a", "b", "c"].map((name) => shard.trigger(name)[0]!);
  shard.refuse(runs[0]!);
  shard.refuse(runs[1]!, { retryAfterMs: 9_000 });
  shard.refuse(runs[2]!);
  expect(shard.wakeInMs()).toBe(9_000);
  expect(shard.notes).toHaveLength(1);
  shard.refuse(shard.wake()[0]!);
  expect(shard.wakeInMs()).toBe(2_000);
});

test("S8 after a pause another key probes, alone; the rest goes on once the function has answered it", () => {
  const shard = new Shard({ concurrency: 10 });
  const [run] = shard.trigger("a");
  shard.refuse(run!);
  for (const name of ["b", "c", "d"]) shard.trigger(name);
  const probe = shard.wake();
  expect(names(probe)).toEqual(["b"]);
  expect(shard.trigger("e")).toEqual([]);
  expect(shard.wakeInMs()).toBe(65_000); // S4: the end of the probe's lease, and no pause's end
  expect(names(shard.answer(probe[0]!, failure({ retryAfterMs: 60_000 })))).toEqual(["a", "c", "d", "e"]);
  expect(shard.notes.at(-1)).toEqual({ type: "resumed", cluster: "home", controller: "documents" });
});

test("S8 where every key was refused, the one that was refused the longest ago probes", () => {
  const shard = new Shard();
  const runs = ["a", "b", "c"].map((name) => shard.trigger(name)[0]!);
  for (const run of runs) {
    shard.now += 1;
    shard.refuse(run);
  }
  const probes: string[] = [];
  for (let i = 0; i < 5; i++) {
    const probe = shard.wake();
    probes.push(...names(probe));
    shard.refuse(probe[0]!);
  }
  expect(probes).toEqual(["a", "b", "c", "a", "b"]);
});

test("S8 a probe that gives no answer is followed by another one", () => {
  const shard = new Shard();
  shard.refuse(shard.trigger("a")[0]!);
  shard.trigger("b");
  shard.trigger("c");
  expect(names(shard.wake())).toEqual(["b"]);
  expect(names(shard.wake())).toEqual(["c"]);
  expect(shard.notes.at(-1)).toMatchObject({ type: "lease ended" });
});

test.each([
  ["an answer that may not be ours", { status: 503, sent: true, ours: false }, true],
  ["a 401 that may not be ours", { status: 401, sent: true, ours: false }, true],
  ["an answer with our own body", { status: 503, sent: true, ours: true }, false],
  ["a connection that was refused", { sent: false, ours: false }, false],
])("S8 after %s the lease stands: %j, %s", (_, refusal, stands) => {
  const shard = new Shard({ concurrency: 1 });
  const [run] = shard.trigger("a");
  const lease = shard.entry("a")!.lease!;
  shard.refuse(run!, refusal);
  shard.trigger("b");
  expect(shard.entry("a")!.lease).toEqual(stands ? { ...lease, refused: true } : null);
  // S12: the run may go on all the same, so it holds its place until the lease ends; then it is no failure.
  expect(shard.wakeInMs()).toBe(stands ? 65_000 : 1_000);
  expect(names(shard.wake())).toEqual(["b"]);
  expect(shard.entry("a")).toMatchObject({ attempt: 0, lease: null });
  expect(shard.notes.map(({ type }) => type)).toEqual(["paused"]);
});

test("S8 an answer that comes after a refusal is discarded", () => {
  const shard = new Shard();
  const [run] = shard.trigger("a");
  shard.refuse(run!, { ours: false });
  shard.answer(run!, success);
  expect(shard.entry("a")!.lease).toMatchObject({ id: run!.lease, refused: true });
  expect(shard.notes.at(-1)).toMatchObject({ type: "late answer" });
});

/** A key that is refused, and then another one that is not. */
function refusedOnce() {
  const shard = new Shard({ backoff: { baseMs: 1_000, factor: 2, maxMs: 60_000, jitter: 0 } });
  shard.refuse(shard.trigger("poison")[0]!);
  shard.trigger("b");
  const [again] = shard.answer(shard.wake()[0]!, success);
  return { shard, again: again! };
}

test("S8 a key that is refused again while another succeeds in between counts as failed, and pauses nobody", () => {
  const { shard, again } = refusedOnce();
  expect(again.key.name).toBe("poison");
  shard.refuse(again, { retryAfterMs: 60_000 });
  expect(shard.entry("poison")).toMatchObject({ attempt: 1, backoffUntil: shard.now + 1_000, lease: null });
  expect(shard.notes.at(-1)).toMatchObject({ type: "refused again" });
  expect(names(shard.trigger("c"))).toEqual(["c"]);
});

test("S8 a 429 never counts", () => {
  const { shard, again } = refusedOnce();
  shard.refuse(again, { status: 429 });
  expect(shard.entry("poison")).toMatchObject({ attempt: 0, backoffUntil: null });
  expect(shard.trigger("c")).toEqual([]);
});

test("S8 a success of a run that started before the refusal is none in between", () => {
  const shard = new Shard();
  const [a] = shard.trigger("a");
  const [b] = shard.trigger("b");
  shard.refuse(a!);
  shard.answer(b!, success);
  shard.refuse(shard.wake()[0]!);
  expect(shard.entry("a")).toMatchObject({ attempt: 0 });
});

test("S8 a poison key never stops its controller", () => {
  const shard = new Shard({ concurrency: 1 });
  const runs: { [name: string]: number } = { poison: 0, good: 0 };
  const end = shard.now + 3_600_000;
  for (let starts = shard.trigger("poison"); shard.now < end; ) {
    for (const run of starts) runs[run.key.name]!++;
    const [run] = starts;
    if (run?.key.name === "poison") starts = shard.refuse(run, { retryAfterMs: 300_000 });
    else if (run) starts = shard.answer(run, success);
    else starts = [];
    if (starts.length > 0) continue;
    shard.now += 2_000;
    starts = shard.trigger("good");
  }
  // Two pauses of 300 s, where no other key succeeded between two refusals; else it is the key that backs off.
  expect(runs.good).toBeGreaterThanOrEqual(1_350);
  expect(runs.poison).toBeLessThan(20);
});

test("S14 a pause is found again in the rows, and one run probes after it", () => {
  const shard = new Shard();
  shard.refuse(shard.trigger("a")[0]!);
  shard.refuse(shard.wake()[0]!);
  shard.reload();
  expect(shard.trigger("b")).toEqual([]);
  shard.trigger("c");
  expect(shard.wakeInMs()).toBe(2_000);
  expect(names(shard.wake())).toEqual(["b"]);
  expect(shard.wakeInMs()).toBe(65_000);
});
