import { describe, expect, it } from "vitest";
import { awaitChange, requeueAfter } from "../../../functions/controller/action.ts";
import { TerminalError } from "../../../functions/controller/errors.ts";
import { failing, type runUnderTest, throwing } from "./run-under-test.ts";

describe("S15 the failure record", () => {
  it("a success without failures never touches KV", async () => {
    const bench = await failing({ reconcile: () => awaitChange() });
    await bench.run();
    expect(bench.kv.calls).toEqual([]);
  });

  it("is written at the first failure", async () => {
    const bench = await failing();
    await bench.run();
    const firstFailureAt = bench.clock.now();
    expect(await bench.kept()).toEqual({ uid: bench.uid, attempt: 1, firstFailureAt, lastError: "broken" });
    expect(bench.kv.calls).toEqual(["set"]);
  });

  it("keeps the time of the first failure and takes the latest error", async () => {
    const bench = await failing();
    await bench.keep({});
    await bench.run({ attempt: 2, uid: bench.uid });
    expect(await bench.kept()).toEqual({ uid: bench.uid, attempt: 3, firstFailureAt: 5, lastError: "broken" });
  });

  it("S6 an early run that fails does not count in it", async () => {
    const bench = await failing();
    await bench.keep({});
    await bench.run({ attempt: 2, counts: false, uid: bench.uid });
    expect(await bench.kept()).toMatchObject({ attempt: 2, lastError: "broken" });
  });

  it.each([
    ["the request's attempt is 0", { attempt: 0 }, {}],
    ["the uid differs", { attempt: 2 }, { uid: "another" }],
    ["it makes no sense", { attempt: 2 }, { attempt: "two" }],
  ])("is ignored where %s", async (_, request, kept) => {
    const bench = await failing();
    await bench.keep(kept);
    await bench.run({ ...request, uid: bench.uid });
    expect(await bench.kept()).toMatchObject({ firstFailureAt: bench.clock.now(), attempt: request.attempt + 1 });
  });

  it.each<[string, Parameters<typeof runUnderTest>[0]]>([
    ["a success after failures", { reconcile: () => awaitChange() }],
    ["an object that is gone after failures", { namespaces: ["other"] }],
  ])("is deleted by %s", async (_, options) => {
    const bench = await failing(options);
    await bench.keep({});
    await bench.run({ attempt: 2, uid: bench.uid });
    expect(await bench.kept()).toBeUndefined();
  });

  it("stays after a terminal failure, for whoever asks why nothing happens", async () => {
    const bench = await failing(throwing(new TerminalError("never")));
    await bench.run();
    expect(await bench.kept()).toMatchObject({ lastError: "never" });
  });

  it("expires after twice the backoff's cap", async () => {
    const bench = await failing({ backoff: { max: "10m" } });
    await bench.run();
    await bench.clock.advance(20 * 60_000 - 1);
    expect(await bench.kept()).toBeDefined();
    await bench.clock.advance(1);
    expect(await bench.kept()).toBeUndefined();
  });
});

describe("S15 a KV that fails or hangs", () => {
  it.each<[string, Parameters<typeof runUnderTest>[0], object]>([
    ["a failure", { errorPolicy: () => requeueAfter("7s") }, { outcome: "error", retryAfterMs: 7_000 }],
    ["a success", { reconcile: () => awaitChange() }, { outcome: "success" }],
  ])("that fails is logged, and never fails a run: %s", async (_, options, expected) => {
    const bench = await failing(options);
    bench.kv.breakIt("fails");
    expect(await bench.run({ attempt: 2, uid: bench.uid })).toMatchObject(expected);
    expect(bench.logger.lines).toContainEqual(
      expect.objectContaining({ level: "warn", message: "the KV store failed" }),
    );
  });

  it.each<[string, Parameters<typeof runUnderTest>[0]]>([
    ["a failure", {}],
    ["a success", { reconcile: () => awaitChange() }],
  ])("that hangs delays a run by 2 s at most: %s", async (_, options) => {
    const bench = await failing(options);
    bench.kv.breakIt("hangs");
    let answered = false;
    const run = bench.run({ attempt: 2, uid: bench.uid }).then(() => {
      answered = true;
    });
    await bench.clock.advance(1_900);
    expect(answered).toBe(false);
    await bench.clock.advance(2_100);
    expect(answered).toBe(true);
    await run;
    expect(bench.logger.lines).toContainEqual(
      expect.objectContaining({ level: "warn", message: "the KV store is slow: the run does not wait for it" }),
    );
  });

  it("that hangs delays no run past its deadline", async () => {
    const bench = await failing();
    bench.kv.breakIt("hangs");
    const run = bench.run({ attempt: 2, uid: bench.uid, deadlineMs: 500 });
    await bench.clock.advance(500);
    expect(await run).toMatchObject({ outcome: "error", error: "broken" });
  });
});
