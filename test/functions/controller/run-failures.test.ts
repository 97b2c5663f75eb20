import { describe, expect, it, vi } from "vitest";
import { awaitChange, requeueAfter } from "../../../functions/controller/action.ts";
import type { Failure } from "../../../functions/controller/controller.ts";
import { RetryAfterError, TerminalError } from "../../../functions/controller/errors.ts";
import type { Document } from "./documents.ts";
import { failing, KEY, throwing } from "./run-under-test.ts";

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
    const bench = await failing(throwing(error));
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
    const bench = await failing({ ...throwing(error), errorPolicy });
    expect(await bench.run()).toMatchObject(expected);
    expect(errorPolicy).not.toHaveBeenCalled();
  });

  it("S6 is not asked about an early run, whose delay only a RetryAfterError sets", async () => {
    const errorPolicy = policy(() => requeueAfter("7s"));
    const plain = await failing({ errorPolicy });
    expect(await plain.run({ attempt: 1, counts: false, uid: plain.uid })).not.toHaveProperty("retryAfterMs");
    const later = await failing({ ...throwing(new RetryAfterError("later", "10m")), errorPolicy });
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
