import { describe, expect, it, vi } from "vitest";
import { keyOf } from "../../../functions/contract/index.ts";
import { awaitChange, requeueAfter } from "../../../functions/controller/action.ts";
import type { Failure } from "../../../functions/controller/controller.ts";
import { RetryAfterError, TerminalError } from "../../../functions/controller/errors.ts";
import type { Document } from "./documents.ts";
import { KEY, runUnderTest } from "./run-under-test.ts";

const broken = (error: unknown) => ({
  reconcile: () => {
    throw error;
  },
});
const record = { uid: "u", attempt: 2, firstFailureAt: 5, lastError: "before" };

async function failing(options: Parameters<typeof runUnderTest>[0] = {}) {
  const bench = await runUnderTest({ ...broken(new Error("broken")), ...options });
  const { metadata } = await bench.create();
  const key = keyOf(KEY);
  return {
    ...bench,
    uid: metadata.uid,
    /** What KV holds, unseen by the counting. */
    async kept() {
      const text = await bench.kv.get(key);
      bench.kv.calls.pop();
      return text && JSON.parse(text);
    },
    async keep(fields: object) {
      await bench.kv.set(key, JSON.stringify({ ...record, uid: metadata.uid, ...fields }), { expireInMs: 1e9 });
      bench.kv.calls.length = 0;
    },
  };
}

describe("S7 answers by what was thrown", () => {
  it.each<[string, unknown, object]>([
    ["any error", new Error("broken"), { outcome: "error", error: "broken" }],
    ["no error at all", undefined, { outcome: "error", error: "undefined" }],
    ["a text", "broken", { outcome: "error", error: "broken" }],
    ["a TerminalError", new TerminalError("never"), { outcome: "terminal", error: "never" }],
    [
      "a RetryAfterError",
      new RetryAfterError("later", "10m"),
      { outcome: "error", error: "later", retryAfterMs: 600_000 },
    ],
  ])("%s", async (_, error, expected) => {
    const bench = await failing(broken(error));
    const { apiVersion, observed, ...answer } = await bench.run();
    expect(answer).toEqual(expected);
    expect(observed?.uid).toBe(bench.uid);
  });

  it("F6 an async rejection is an error likewise", async () => {
    const bench = await failing({ reconcile: () => Promise.reject(new Error("broken")) });
    expect(await bench.run()).toMatchObject({ outcome: "error", error: "broken" });
  });
});

describe("S7 the error policy", () => {
  const policy = (answer: () => unknown) => vi.fn((_: unknown, __: Failure<Document>) => answer() as never);

  it("sets the delay, and is told of the failure", async () => {
    const errorPolicy = policy(() => requeueAfter("7s"));
    const bench = await failing({ errorPolicy });
    expect(await bench.run()).toMatchObject({ outcome: "error", retryAfterMs: 7_000 });
    expect(errorPolicy).toHaveBeenCalledExactlyOnceWith(new Error("broken"), {
      attempt: 0,
      firstFailureAt: bench.clock.now(),
      key: KEY,
      object: expect.objectContaining({ spec: { title: "x", pages: 1 } }),
    });
  });

  it("S15 is told of the failures before, as KV knows them", async () => {
    const errorPolicy = policy(() => requeueAfter("7s"));
    const bench = await failing({ errorPolicy });
    await bench.keep({});
    await bench.run({ attempt: 2, uid: bench.uid });
    expect(errorPolicy.mock.calls[0]?.[1]).toMatchObject({ attempt: 2, firstFailureAt: 5, lastError: "before" });
  });

  it("is told of no object where none was read", async () => {
    const errorPolicy = policy(() => requeueAfter("7s"));
    const bench = await failing({ errorPolicy });
    bench.intercept(() => Promise.reject(new TypeError("fetch failed")));
    await bench.run();
    expect(errorPolicy.mock.calls[0]?.[1]).not.toHaveProperty("object");
  });

  it("that awaits a change makes the failure terminal", async () => {
    const bench = await failing({ errorPolicy: () => awaitChange() });
    expect(await bench.run()).toMatchObject({ outcome: "terminal", error: "broken" });
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("policy is broken");
      },
    ],
    ["returns nothing", () => undefined],
    ["returns a number", () => 5],
    ["returns NaN", () => ({ requeueAfterMs: Number.NaN })],
    ["is async", () => Promise.resolve(requeueAfter("1s"))],
    ["is async and rejects", () => Promise.reject(new Error("no"))],
  ])("that %s leaves the delay to the default backoff, and is in the log", async (_, answer) => {
    const bench = await failing({ errorPolicy: () => answer() as never });
    const given = await bench.run();
    expect(given).toMatchObject({ outcome: "error", error: "broken" });
    expect(given).not.toHaveProperty("retryAfterMs");
    expect(bench.logger.lines).toContainEqual(
      expect.objectContaining({ level: "error", message: "the error policy failed: the default backoff decides" }),
    );
  });

  it.each([
    ["a TerminalError", new TerminalError("never"), { outcome: "terminal" }],
    ["a RetryAfterError", new RetryAfterError("later", "10m"), { outcome: "error", retryAfterMs: 600_000 }],
  ])("is not asked about %s", async (_, error, expected) => {
    const errorPolicy = policy(() => requeueAfter("7s"));
    const bench = await failing({ ...broken(error), errorPolicy });
    expect(await bench.run()).toMatchObject(expected);
    expect(errorPolicy).not.toHaveBeenCalled();
  });

  it("S6 is not asked about an early run, whose delay only a RetryAfterError sets", async () => {
    const errorPolicy = policy(() => requeueAfter("7s"));
    const plain = await failing({ errorPolicy });
    expect(await plain.run({ attempt: 1, counts: false, uid: plain.uid })).not.toHaveProperty("retryAfterMs");
    const later = await failing({ ...broken(new RetryAfterError("later", "10m")), errorPolicy });
    expect(await later.run({ attempt: 1, counts: false })).toMatchObject({ retryAfterMs: 600_000 });
    expect(errorPolicy).not.toHaveBeenCalled();
  });

  it("S13 is asked about another object of the name as about a first failure, whatever the request counts", async () => {
    const errorPolicy = policy(() => requeueAfter("7s"));
    const bench = await failing({ errorPolicy });
    await bench.keep({ uid: "the predecessor's" });
    const answer = await bench.run({ attempt: 5, counts: false, uid: "the predecessor's" });
    expect(answer).toMatchObject({ retryAfterMs: 7_000, observed: { uid: bench.uid } });
    expect(errorPolicy.mock.calls[0]?.[1]).toEqual({
      attempt: 0,
      firstFailureAt: bench.clock.now(),
      key: KEY,
      object: expect.anything(),
    });
    expect(await bench.kept()).toMatchObject({ uid: bench.uid, attempt: 1, firstFailureAt: bench.clock.now() });
  });
});

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
    const bench = await failing(broken(new TerminalError("never")));
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

describe("X4 secrets", () => {
  it("are in no answer, record or log line", async () => {
    const secret = "hunter2/hunter2";
    const bench = await failing({
      reconcile: () => {
        throw new Error(`401 for ${secret}`, { cause: new Error(encodeURIComponent(secret)) });
      },
      errorPolicy: () => {
        throw new Error(secret);
      },
    });
    const answer = await bench.run({}, { secrets: [secret] });
    expect(answer).toMatchObject({ error: "401 for [secret]: [secret]" });
    const all = JSON.stringify([answer, await bench.kept(), bench.logger.lines]);
    expect(all).not.toContain("hunter2");
  });
});
