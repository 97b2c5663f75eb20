import { expect, it } from "vitest";
import { API_VERSION, problem, wakeAnswer } from "../../../functions/contract/index.ts";
import type { Scheduler } from "../../../functions/ports/index.ts";
import { triggerOf } from "../../support/shard.ts";
import { batch, ingressUnderTest } from "./ingress-under-test.ts";

const body = JSON.stringify({ apiVersion: API_VERSION, cluster: "home" });
const epoch = "e1";

/** A scheduler that does what a test says when it is woken. */
const woken = (wake: Scheduler["wake"], timer: "platform" | "relay" = "platform"): Scheduler => ({
  flags: { durable: true, timer },
  accept: wake,
  wake,
  inspect: () => undefined,
  parked: () => [],
  deleteParked: async () => 0,
  size: () => ({ entries: 0, running: 0 }),
  drain: async () => {},
  async close() {},
});

it("R12 answers 202 with when to come again, once the scheduler has looked", async () => {
  const ingress = ingressUnderTest();
  const accepted = await (await ingress.trigger(batch([triggerOf("a")]))).json();
  await ingress.clock.advance(5_000);
  const response = await ingress.send("POST", "/wake", { body });
  expect(response.status).toBe(202);
  expect(wakeAnswer.strict().parse(await response.json())).toEqual({
    apiVersion: API_VERSION,
    nextWakeInMs: 60_000, // the rest of the lease of 65 s
    timer: "platform",
    revision: "r1",
    epoch: accepted.epoch,
  });
});

it("R12 says so where nothing is scheduled, and where the relay is the timer", async () => {
  const ingress = ingressUnderTest({ scheduler: woken(async () => ({ nextWakeInMs: null, epoch }), "relay") });
  const response = await ingress.send("POST", "/wake", { body });
  expect(await response.json()).toMatchObject({ nextWakeInMs: null, timer: "relay" });
});

it("S3 answers 503 with Retry-After where the scheduler cannot commit, and says so in the log", async () => {
  const ingress = ingressUnderTest({ scheduler: woken(() => Promise.reject(new Error("disk full"))) });
  const response = await ingress.send("POST", "/wake", { body });
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("1");
  expect(problem.parse(await response.json()).error).toMatchObject({ code: "unavailable" });
  expect(ingress.logger.lines).toEqual([
    expect.objectContaining({ level: "error", fields: expect.objectContaining({ path: "/wake" }) }),
  ]);
});

it("F7 a trigger hands on the revision that is to answer", async () => {
  const seen: unknown[] = [];
  const accept: Scheduler["accept"] = async (_, triggers) => {
    seen.push(...triggers.map(({ revision }) => revision));
    return { nextWakeInMs: null, epoch };
  };
  const ingress = ingressUnderTest({
    scheduler: { ...woken(async () => ({ nextWakeInMs: null, epoch })), accept },
  });
  await ingress.trigger(batch([triggerOf("a", { revision: "5f2b9c" }), triggerOf("b")]));
  expect(seen).toEqual(["5f2b9c", undefined]);
});
