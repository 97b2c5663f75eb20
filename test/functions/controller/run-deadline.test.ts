import { describe, expect, it } from "vitest";
import { awaitChange } from "../../../functions/controller/action.ts";
import { ConfigMap } from "../../../functions/kinds.ts";
import type { Kube } from "../../../functions/kube/kube.ts";
import type { Clock } from "../../../functions/ports/index.ts";
import { runUnderTest } from "./run-under-test.ts";

const never = new Promise<never>(() => {});
const at = { namespace: "default", name: "c" };
const child = { apiVersion: "v1", kind: "ConfigMap", metadata: at, data: {} } as const;

describe("F6 the deadline", () => {
  it("aborts the signal, and answers for code that ignores it", async () => {
    let signal: AbortSignal | undefined;
    const bench = await runUnderTest({
      reconcile(_, context) {
        signal = context.signal;
        return never;
      },
    });
    await bench.create();
    const run = bench.run({ deadlineMs: 5_000 });
    await bench.clock.advance(4_999);
    expect(signal?.aborted).toBe(false);
    await bench.clock.advance(1);
    expect(signal?.reason).toMatchObject({ message: "the run took longer than its deadline of 5000 ms" });
    expect(await run).toMatchObject({ outcome: "error", error: "the run took longer than its deadline of 5000 ms" });
  });

  it("answers for an API server that does not", async () => {
    const bench = await runUnderTest();
    bench.intercept(() => never);
    const run = bench.run({ deadlineMs: 5_000 });
    await bench.clock.advance(5_000);
    expect(await run).toMatchObject({ outcome: "error" });
  });

  it("S5 the client sends nothing past it", async () => {
    let late: Promise<unknown> | undefined;
    const bench = await runUnderTest({
      owns: [{ resource: ConfigMap }],
      reconcile(_, { kube, signal }) {
        signal.addEventListener("abort", () => {
          late = kube.apply(child).catch((error: unknown) => error);
        });
        return never;
      },
    });
    await bench.create();
    const run = bench.run({ deadlineMs: 5_000 });
    await bench.clock.advance(5_000);
    await run;
    expect(await late).toBeInstanceOf(Error);
    expect(bench.sent.filter((line) => line.startsWith("PATCH"))).toEqual([]);
  });

  it("S5 the client sends nothing past it where code blocked the timers", async () => {
    let lateMs = 0;
    const bench = await runUnderTest({
      async reconcile(doc, { kube }) {
        lateMs = 5_000;
        await kube.patchStatus(doc, { phase: "Ready" });
        return awaitChange();
      },
    });
    await bench.create();
    const clock: Clock = { ...bench.clock, monotonic: () => bench.clock.monotonic() + lateMs };
    expect(await bench.run({ deadlineMs: 5_000 }, { clock })).toMatchObject({
      outcome: "error",
      error: expect.stringContaining("deadline has passed"),
    });
    expect(bench.sent).toHaveLength(1);
  });

  it("S5 the client sends nothing once the process has given up on the run", async () => {
    const stop = new AbortController();
    let late: Promise<unknown> | undefined;
    const bench = await runUnderTest({
      owns: [{ resource: ConfigMap }],
      reconcile(_, { kube, signal }) {
        signal.addEventListener("abort", () => {
          late = kube.apply(child).catch((error: unknown) => error);
        });
        stop.abort(new Error("the process stops"));
        return never;
      },
    });
    await bench.create();
    const answer = await bench.run({ deadlineMs: 5_000 }, { stopped: stop.signal });
    expect(answer).toMatchObject({ outcome: "error", error: "the process stops" });
    expect(await late).toBeInstanceOf(Error);
    expect(bench.sent.filter((line) => line.startsWith("PATCH"))).toEqual([]);
  });

  it("S5 the client sends nothing after the run, for what was not awaited", async () => {
    let kept: Kube | undefined;
    const bench = await runUnderTest({
      access: [{ resource: ConfigMap, verbs: ["get"] }],
      reconcile(_, { kube }) {
        kept = kube;
        return awaitChange();
      },
    });
    await bench.create();
    await bench.run();
    await expect(kept?.get(ConfigMap, at)).rejects.toThrow("the run is over");
    expect(bench.sent).toHaveLength(1);
  });

  it.each([
    ["a success", () => awaitChange()],
    ["a failure", () => Promise.reject(new Error("broken"))],
  ])("leaves no timer behind: %s", async (_, reconcile) => {
    const bench = await runUnderTest({ reconcile });
    await bench.create();
    let timers = 0;
    const clock: Clock = {
      ...bench.clock,
      setTimer(delayMs, callback) {
        const cancel = bench.clock.setTimer(delayMs, callback);
        timers++;
        return () => {
          timers--;
          cancel();
        };
      },
    };
    await bench.run({ attempt: 1 }, { clock });
    expect(timers).toBe(0);
  });
});

describe("steps", () => {
  it("the first write of a run is reported once, whoever made it", async () => {
    const reached: string[] = [];
    const bench = await runUnderTest({
      owns: [{ resource: ConfigMap }],
      finalizer: "example.com/x",
      cleanup: () => {},
      async reconcile(doc, { kube }) {
        reached.push("reconcile");
        await kube.apply(child, { owner: doc });
        return awaitChange();
      },
    });
    await bench.create();
    const steps = {
      async reach(step: string) {
        reached.push(step);
      },
    };
    await bench.run({}, { steps });
    expect(reached).toEqual(["first write done", "reconcile"]);
  });
});
