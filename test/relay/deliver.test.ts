import { beforeEach, describe, expect, it, vi } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../adapters/testing/virtual-clock.ts";
import type { Trigger } from "../../functions/contract/index.ts";
import { createDelivery, type Delivery } from "../../infra/relay/deliver/deliver.ts";
import { createIngress } from "../../infra/relay/deliver/ingress.ts";
import { createOutbox, type Outbox } from "../../infra/relay/outbox/outbox.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { createScriptedIngress, secret } from "./support/scripted-ingress.ts";

let clock: VirtualClock;
let ingress: ReturnType<typeof createScriptedIngress>;
let logger: ReturnType<typeof recordingLogger>;
let outbox: Outbox;
let delivery: Delivery;
let answers: string[];
let declared: Set<string>;
let refetched: number;

beforeEach(() => {
  clock = createVirtualClock(Date.UTC(2026, 0, 1));
  ingress = createScriptedIngress(clock);
  logger = recordingLogger();
  outbox = createOutbox();
  answers = [];
  declared = new Set(["docs", "other"]);
  refetched = 0;
  delivery = createDelivery({
    cluster: "home",
    outbox,
    ingress: createIngress({ ingress, secrets: [secret], clock }),
    clock,
    logger,
    random: () => 0.5,
    onAnswer: (answer) => void answers.push(answer.epoch),
    async refetch() {
      refetched++;
    },
    isDeclared: (controller) => declared.has(controller),
  });
  delivery.open();
});

async function add(...names: string[]): Promise<void> {
  for (const name of names) outbox.add(triggerOf(name));
  delivery.wake();
  await clock.settle();
}

function triggerOf(name: string, over: Partial<Trigger> = {}): Trigger {
  return { controller: "docs", namespace: "default", name, reason: "object-updated", lane: "live", ...over };
}

describe("R11 delivery", () => {
  it("sends at once when nothing is under way: no time passes", async () => {
    await add("a");
    expect(ingress.last()).toMatchObject({ path: "/triggers", method: "POST", triggers: [triggerOf("a")] });
  });

  it("holds what comes meanwhile for the next batch, with one under way at a time", async () => {
    await add("a");
    await add("b");
    await add("c", "a");
    expect(ingress.asked).toHaveLength(1);
    ingress.last().accept();
    await clock.settle();
    expect(ingress.asked.map(({ names }) => names)).toEqual([["a"], ["b", "c", "a"]]);
  });

  it("sends 500 triggers a batch at most", async () => {
    await add(...Array.from({ length: 1_100 }, (_, i) => `n${i}`));
    for (const batches of [1, 2, 3]) {
      await vi.waitFor(() => expect(ingress.asked).toHaveLength(batches));
      ingress.last().accept();
    }
    await clock.settle();
    expect(ingress.asked.map(({ names }) => names.length)).toEqual([500, 500, 100]);
  });

  it("splits a batch that is larger than a body may be before it is sent", async () => {
    const cause = "x".repeat(3_000);
    for (let i = 0; i < 500; i++) outbox.add(triggerOf(`n${i}`, { cause }));
    await add();
    await vi.waitFor(() => expect(ingress.asked.map(({ names }) => names.length)).toEqual([250]));
  });

  it("holds everything until it is opened", async () => {
    delivery.stop();
    const held = createDelivery({
      cluster: "home",
      outbox,
      ingress: createIngress({ ingress, secrets: [secret], clock }),
      clock,
      logger,
      random: () => 0.5,
      onAnswer() {},
      async refetch() {},
      isDeclared: () => true,
    });
    outbox.add(triggerOf("a"));
    held.wake();
    await clock.settle();
    expect(ingress.asked).toEqual([]);
    held.open();
    await clock.settle();
    expect(ingress.last().names).toEqual(["a"]);
  });
});

describe("R5 a batch that is not accepted", () => {
  it.each<[string, (answer: ReturnType<typeof ingress.last>) => void, string]>([
    ["is unanswered", (last) => last.break(), "warn"],
    ["meets a 503 of a proxy", (last) => last.answer(new Response("<html>", { status: 503 })), "warn"],
    ["meets our 503", (last) => last.refuse(503, "unavailable"), "warn"],
    ["meets a 429", (last) => last.refuse(429, "too-many"), "warn"],
    ["meets a firewall's 400", (last) => last.answer(new Response("no", { status: 400 })), "error"],
    ["meets a proxy's 401", (last) => last.answer(new Response("no", { status: 401 })), "error"],
    ["meets a proxy's 413", (last) => last.answer(new Response("no", { status: 413 })), "error"],
    ["meets our 400", (last) => last.refuse(400, "malformed"), "error"],
    ["X1 meets our 401", (last) => last.refuse(401, "stale-timestamp"), "error"],
    ["meets a 200 that is no acceptance", (last) => last.answer(new Response("welcome")), "warn"],
    ["meets a 202 that is not ours", (last) => last.answer(new Response("{}", { status: 202 })), "warn"],
  ])("since it %s, is held, shown and sent again", async (_, answer, level) => {
    await add("a", "b");
    answer(ingress.last());
    await clock.settle();
    expect(ingress.asked).toHaveLength(1);
    expect(delivery.status()).toMatchObject({ pending: 2, dropped: 0, error: expect.any(String) });
    expect(logger.lines.map((line) => line.level)).toEqual([level]);
    await clock.advance(200);
    expect(ingress.last().names).toEqual(["a", "b"]);
    ingress.last().accept();
    await clock.settle();
    expect(delivery.status()).toEqual({ pending: 0, dropped: 0, unknownControllers: [] });
  });

  it("goes under what is newer", async () => {
    await add("a", "b");
    outbox.add(triggerOf("a", { cause: "newer" }));
    ingress.last().break();
    await clock.advance(200);
    expect(ingress.last().triggers).toEqual([triggerOf("a", { cause: "newer" }), triggerOf("b")]);
  });

  it("waits twice as long each time, up to 30 s, for ever", async () => {
    await add("a");
    for (const ms of [200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]) {
      const asked = ingress.asked.length;
      ingress.last().break();
      await clock.advance(ms - 1);
      expect(ingress.asked).toHaveLength(asked);
      await clock.advance(1);
      expect(ingress.asked).toHaveLength(asked + 1);
    }
    expect(logger.lines).toHaveLength(1);
  });

  it("waits as long as Retry-After says", async () => {
    await add("a");
    ingress.last().refuse(503, "unavailable", { "retry-after": "7" });
    await clock.advance(6_999);
    expect(ingress.asked).toHaveLength(1);
    await clock.advance(1);
    expect(ingress.asked).toHaveLength(2);
  });

  it("X1 is signed afresh, with a new id", async () => {
    await add("a");
    ingress.last().break();
    // More than the tolerance of a signature: an old one would be refused.
    clock.step(3_600_000);
    await clock.advance(200);
    expect(ingress.asked).toHaveLength(2);
    expect(ingress.asked[0]!.id).not.toBe(ingress.asked[1]!.id);
  });

  it("is given up after 30 s without an answer, and sent again", async () => {
    await add("a");
    await clock.advance(30_200);
    expect(ingress.asked).toHaveLength(2);
    expect(ingress.asked[0]!.signal.aborted).toBe(true);
  });
});

describe("R5 our 413", () => {
  it("splits the batch at once, and grows again", async () => {
    await add("a", "b", "c", "d");
    for (let i = 0; i < 2; i++) {
      ingress.last().refuse(413, "too-large");
      await clock.settle();
    }
    for (let i = 0; i < 3; i++) {
      ingress.last().accept();
      await clock.settle();
    }
    const batches = ingress.asked.map(({ names }) => names.join(" "));
    expect(batches).toEqual(["a b c d", "a b", "c", "d a", "b"]);
  });

  it("of a single trigger holds it", async () => {
    await add("a");
    ingress.last().refuse(413, "too-large");
    await clock.settle();
    expect(delivery.status()).toMatchObject({ pending: 1, error: expect.stringContaining("413") });
  });
});

describe("R5 rejected items", () => {
  it("are dropped, counted and logged; the others are accepted", async () => {
    await add("a", "b", "c");
    ingress.last().accept({ accepted: 2, rejected: [{ index: 1, error: "namespace: must be left out" }] });
    await clock.settle();
    expect(delivery.status()).toMatchObject({ pending: 0, dropped: 1 });
    expect(logger.lines).toEqual([
      {
        level: "warn",
        message: "trigger rejected and dropped",
        fields: { controller: "docs", namespace: "default", name: "b", error: "namespace: must be left out" },
      },
    ]);
  });

  it("of an unknown controller are held, the manifest fetched, and sent again later and later", async () => {
    await add("a", "b");
    const unknown = { accepted: 1, rejected: [{ index: 0, error: "controller: docs is unknown here" }] };
    ingress.last().accept(unknown);
    await clock.settle();
    expect(delivery.status()).toMatchObject({ pending: 1, dropped: 0, unknownControllers: ["docs"] });
    expect(refetched).toBe(1);
    await clock.advance(200);
    expect(ingress.last().names).toEqual(["a"]);
    ingress.last().accept(unknown);
    await clock.advance(399);
    expect(ingress.asked).toHaveLength(2);
    await clock.advance(1);
    ingress.last().accept();
    await clock.settle();
    expect(delivery.status()).toEqual({ pending: 0, dropped: 0, unknownControllers: [] });
    await add("a");
    const asked = ingress.asked.length;
    ingress.last().accept(unknown);
    await clock.advance(200);
    expect(ingress.asked).toHaveLength(asked + 1);
  });

  it("of an unknown controller are not tried more often because others are accepted", async () => {
    await add("a");
    const unknown = { accepted: 0, rejected: [{ index: 0, error: "controller: docs is unknown here" }] };
    for (const ms of [200, 400, 800]) {
      ingress.last().accept(unknown);
      await clock.settle();
      outbox.add(triggerOf("x", { controller: "other" }));
      await add();
      ingress.last().accept();
      await clock.advance(ms - 1);
      expect(ingress.last().names).toEqual(["x"]);
      await clock.advance(1);
      expect(ingress.last().names).toEqual(["a"]);
    }
    expect(delivery.status().unknownControllers).toEqual(["docs"]);
  });

  it("of a controller that is no longer declared are dropped, with those that were held for it", async () => {
    await add("a");
    const unknown = { accepted: 0, rejected: [{ index: 0, error: "controller: docs is unknown here" }] };
    ingress.last().accept(unknown);
    await clock.settle();
    declared.delete("docs");
    await clock.advance(200);
    ingress.last().accept(unknown);
    await clock.settle();
    expect(delivery.status()).toEqual({ pending: 0, dropped: 1, unknownControllers: [] });
  });

  it("beyond the batch are nothing", async () => {
    await add("a");
    ingress.last().accept({ rejected: [{ index: 7, error: "no" }] });
    await clock.settle();
    expect(delivery.status()).toMatchObject({ pending: 0, dropped: 0 });
  });
});

it("R12 what an accepted batch was answered is told, and nothing of one that was not", async () => {
  await add("a");
  ingress.last().break();
  await clock.advance(200);
  ingress.last().refuse(503, "unavailable");
  await clock.advance(400);
  ingress.last().accept({ epoch: "e7" });
  await clock.settle();
  expect(answers).toEqual(["e7"]);
});
