import { describe, expect, it } from "vitest";
import type { ReconcileAnswer } from "../../functions/contract/index.ts";
import { failure, gone, requeue, Shard, success, terminal } from "../support/shard.ts";

const MINUTE_MS = 60_000;
const by = (revision: string, answer: ReconcileAnswer = success): ReconcileAnswer => ({ ...answer, revision });

/** A key that is wanted for the revision `new`, running. */
function rollout() {
  const shard = new Shard();
  const [run] = shard.trigger("a", { lane: "resync", reason: "bulk", revision: "new" });
  return { shard, run: run! };
}

describe("F7 a run that a new revision was asked for", () => {
  it("is done when that revision answered", () => {
    const { shard, run } = rollout();
    expect(shard.answer(run, by("new"))).toEqual([]);
    expect(shard.entry("a")).toBeUndefined();
  });

  it.each([
    ["success", success],
    ["terminal", terminal],
    // Another revision may have another selector, and take for gone what is this one's.
    ["gone", gone],
  ])("is due again in 60 s in the resync lane when another one answered %s", (_, answer) => {
    const { shard, run } = rollout();
    shard.answer(run, by("old", answer));
    expect(shard.entry("a")).toMatchObject({ queue: "bulk", reasons: ["bulk"] });
    expect(shard.wakeInMs()).toBe(MINUTE_MS);
    const [again] = shard.wake();
    shard.answer(again!, by("new"));
    expect(shard.entry("a")).toBeUndefined();
  });

  it("is due again at most five times", () => {
    const { shard, run } = rollout();
    shard.answer(run, by("old"));
    for (let retry = 1; retry <= 5; retry++) {
      expect(shard.wakeInMs()).toBe(MINUTE_MS);
      const [again] = shard.wake();
      shard.answer(again!, by("old"));
    }
    expect(shard.entry("a")).toBeUndefined();
  });

  it("keeps its five times for runs a minute apart: what wakes it earlier uses up none", () => {
    const { shard, run } = rollout();
    shard.answer(run, by("old"));
    for (let event = 0; event < 20; event++) {
      shard.now += 1_000;
      const [early] = shard.trigger("a");
      expect(early).toBeDefined();
      shard.answer(early!, by("old"));
    }
    expect(shard.wakeInMs()).toBe(MINUTE_MS - 20_000);
    const [again] = shard.wake();
    shard.answer(again!, by("old"));
    expect(shard.wakeInMs()).toBe(MINUTE_MS);
  });

  it("is done when the revision answers a run that something else woke", () => {
    const { shard, run } = rollout();
    shard.answer(run, by("old"));
    shard.now += 1_000;
    const [early] = shard.trigger("a");
    shard.answer(early!, by("new"));
    expect(shard.entry("a")).toBeUndefined();
  });

  it("keeps the requeue of another revision's answer, and the earlier of both", () => {
    const { shard, run } = rollout();
    shard.answer(run, by("old", requeue(10_000)));
    expect(shard.wakeInMs()).toBe(10_000);
    const [polled] = shard.wake();
    shard.answer(polled!, by("new", requeue(300_000)));
    expect(shard.wakeInMs()).toBe(300_000);
    const [later] = shard.wake();
    shard.answer(later!, by("old"));
    expect(shard.entry("a"), "what has answered once is not asked for again").toBeUndefined();
  });

  it("S6 retries in 60 s what failed under another revision, without touching count or backoff", () => {
    const { shard, run } = rollout();
    shard.answer(run, by("old", failure({ retryAfterMs: 600_000 })));
    const { backoffUntil } = shard.entry("a")!;
    expect(shard.wakeInMs()).toBe(MINUTE_MS);
    const [early] = shard.wake();
    expect(early).toMatchObject({ attempt: 1, counts: false });
    shard.answer(early!, by("new", failure()));
    expect(shard.entry("a")).toMatchObject({ attempt: 1, backoffUntil, due: backoffUntil });
  });

  it("S6 that nobody answered asks for the revision still, when it is retried", () => {
    const { shard, run } = rollout();
    shard.answer(run, failure());
    const [retry] = shard.wake();
    shard.answer(retry!, by("old"));
    expect(shard.wakeInMs()).toBe(MINUTE_MS);
  });

  it("is as any other where functions tell no revision", () => {
    const { shard, run } = rollout();
    shard.answer(run, success);
    expect(shard.entry("a")).toBeUndefined();
  });
});

describe("F7 the revision that is asked for", () => {
  it("is nobody's where no trigger carries one", () => {
    const shard = new Shard();
    const [run] = shard.trigger("a");
    shard.answer(run!, by("old"));
    expect(shard.entry("a")).toBeUndefined();
  });

  it("is the newest one, with five times of its own", () => {
    const { shard, run } = rollout();
    shard.answer(run, by("old"));
    let [again] = shard.wake();
    for (let retry = 2; retry <= 5; retry++) {
      shard.answer(again!, by("old"));
      [again] = shard.wake();
    }
    shard.trigger("a", { lane: "resync", reason: "bulk", revision: "newer" });
    const [behind] = shard.answer(again!, by("new"));
    shard.answer(behind!, by("new"));
    for (let retry = 1; retry <= 5; retry++) {
      [again] = shard.wake();
      expect(again, `retry ${retry}`).toBeDefined();
      shard.answer(again!, by("new"));
    }
    expect(shard.entry("a")).toBeUndefined();
  });

  it("S1 is kept beside an event that came first, whose run then is the one", () => {
    const shard = new Shard({ debounceMs: 1_000 });
    shard.trigger("a");
    shard.trigger("a", { lane: "resync", reason: "bulk", revision: "new" });
    expect(shard.entry("a")).toMatchObject({ queue: "live", reasons: ["object-updated", "bulk"] });
    const [run] = shard.wake();
    shard.answer(run!, by("old"));
    expect(shard.wakeInMs()).toBe(MINUTE_MS);
  });

  it("S2 that comes during a run is for the run after it", () => {
    const shard = new Shard();
    const [run] = shard.trigger("a");
    shard.now += 10;
    shard.trigger("a", { lane: "resync", reason: "bulk", revision: "new" });
    const [behind] = shard.answer(run!, by("old"));
    shard.answer(behind!, by("old"));
    expect(shard.wakeInMs()).toBe(MINUTE_MS);
  });

  it("X1 of a batch that is sent twice begins no second count", () => {
    const { shard, run } = rollout();
    shard.answer(run, by("old"));
    const [again] = shard.wake();
    shard.answer(again!, by("old"));
    const { asked } = shard.entry("a")!;
    shard.trigger("a", { lane: "resync", reason: "bulk", revision: "new" });
    expect(shard.entry("a")!.asked).toEqual(asked);
  });
});
