import { beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../adapters/testing/virtual-clock.ts";
import type { WakeAnswer } from "../../functions/contract/index.ts";
import { createIngress } from "../../infra/relay/deliver/ingress.ts";
import { createWatchdog, type Watchdog } from "../../infra/relay/watchdog/watchdog.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { createScriptedIngress, type ScriptedIngress, secret } from "./support/scripted-ingress.ts";

let clock: VirtualClock;
let ingress: ScriptedIngress;
let logger: ReturnType<typeof recordingLogger>;
let heard: WakeAnswer[];
let watchdog: Watchdog;

beforeEach(async () => {
  clock = createVirtualClock(Date.UTC(2026, 0, 1));
  ingress = createScriptedIngress(clock);
  ingress.holdWakes = true;
  logger = recordingLogger();
  heard = [];
  watchdog = createWatchdog({
    cluster: "home",
    ingress: createIngress({ ingress, secrets: [secret], clock }),
    clock,
    logger,
    random: () => 0.5,
    onAnswer: (answer) => void heard.push(answer),
  });
  watchdog.wake();
  await clock.settle();
});

const last = () => ingress.wakes.at(-1)!;
const answer = async (nextWakeInMs: number | null, timer: WakeAnswer["timer"] = "platform") => {
  last().accept({ nextWakeInMs, timer });
  await clock.settle();
};
const told = (nextWakeInMs: number | null, timer: WakeAnswer["timer"] = "platform") =>
  watchdog.triggersTold({ apiVersion: "sluice.dev/v1", nextWakeInMs, timer, revision: "r1", epoch: "e1" });
/** Whether `/wake` is asked after so many milliseconds, and not one sooner. */
const asksAfter = async (ms: number): Promise<boolean> => {
  const before = ingress.wakes.length;
  await clock.advance(ms - 1);
  const early = ingress.wakes.length > before;
  await clock.advance(1);
  return !early && ingress.wakes.length === before + 1;
};

describe("R12 /wake", () => {
  it("is asked at the start, signed, and its answer is told", async () => {
    expect(last()).toMatchObject({ path: "/wake", method: "POST" });
    await answer(null);
    expect(heard).toMatchObject([{ nextWakeInMs: null, epoch: "e1" }]);
    expect(watchdog.status()).toEqual({});
  });

  it("is asked no more with nothing scheduled", async () => {
    await answer(null);
    await clock.advance(24 * 3_600_000);
    expect(ingress.wakes).toHaveLength(1);
    expect(clock.timers).toBe(0);
  });

  it("is asked 30 s after the time that it told, and so on", async () => {
    await answer(60_000);
    expect(await asksAfter(90_000)).toBe(true);
    await answer(5_000);
    expect(await asksAfter(35_000)).toBe(true);
  });

  it("is asked 30 s after the time that an answer to /triggers told, if that is sooner", async () => {
    await answer(60_000);
    told(600_000);
    told(20_000);
    told(null);
    expect(await asksAfter(50_000)).toBe(true);
  });

  it("is asked at the time itself where the relay is the timer, each second while a run is in flight", async () => {
    await answer(1_000, "relay");
    expect(await asksAfter(1_000)).toBe(true);
    await answer(1_000, "relay");
    expect(await asksAfter(1_000)).toBe(true);
    await answer(null, "relay");
    told(250, "relay");
    expect(await asksAfter(250)).toBe(true);
  });

  it("is asked every 5 minutes where hooks or schedules are declared", async () => {
    watchdog.expectUnseen(true);
    await answer(null);
    expect(await asksAfter(300_000)).toBe(true);
    await answer(24 * 3_600_000);
    expect(await asksAfter(300_000)).toBe(true);
    await answer(null);
    watchdog.expectUnseen(false);
    await clock.advance(3_600_000);
    expect(ingress.wakes).toHaveLength(3);
  });

  it("is asked once at a time, and what came meanwhile is not forgotten", async () => {
    watchdog.wake();
    told(10_000);
    await clock.settle();
    expect(ingress.wakes).toHaveLength(1);
    await answer(null);
    expect(await asksAfter(40_000)).toBe(true);
  });
});

describe("R12 a /wake that is not accepted is retried like a delivery", () => {
  it.each<[string, () => void, string, string]>([
    ["nothing is answered", () => last().break(), "warn", "fetch failed"],
    ["our 503", () => last().refuse(503, "unavailable"), "warn", "POST /wake: 503 unavailable"],
    ["our 401", () => last().refuse(401, "bad-signature"), "error", "POST /wake: 401 bad-signature"],
    [
      "a proxy's 404",
      () => last().answer(new Response("no", { status: 404 })),
      "error",
      "without a body of our ingress",
    ],
    ["a 200", () => last().answer(new Response("welcome")), "warn", "POST /wake: 200"],
    ["a 202 of another", () => last().answer(new Response("{}", { status: 202 })), "warn", "POST /wake: 202"],
  ])("%s", async (_, refuse, level, text) => {
    refuse();
    await clock.settle();
    expect(watchdog.status().error).toContain(text);
    expect(logger.lines.map((line) => line.level)).toEqual([level]);
    expect(await asksAfter(200)).toBe(true);
    refuse();
    expect(await asksAfter(400)).toBe(true);
    expect(logger.lines).toHaveLength(1);
    await answer(null);
    expect(watchdog.status()).toEqual({});
    expect(logger.lines.at(-1)).toMatchObject({ level: "info" });
  });

  it("for ever, at most 30 s apart", async () => {
    for (let i = 0; i < 8; i++) {
      last().break();
      await clock.advance(30_000);
    }
    last().break();
    expect(await asksAfter(30_000)).toBe(true);
  });

  it("not before Retry-After", async () => {
    last().refuse(503, "unavailable", { "retry-after": "7" });
    expect(await asksAfter(7_000)).toBe(true);
  });
});

it.each([
  ["while it waits", () => answer(60_000)],
  ["while it is asking", () => clock.settle()],
  [
    "while it retries",
    () => {
      last().break();
      return clock.settle();
    },
  ],
])("a stop %s ends it", async (_, before) => {
  await before();
  watchdog.stop();
  await clock.advance(3_600_000);
  expect(ingress.wakes).toHaveLength(1);
});
