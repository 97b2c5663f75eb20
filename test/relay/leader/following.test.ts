import { beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../../adapters/testing/virtual-clock.ts";
import { createDelivery, type Delivery } from "../../../infra/relay/deliver/deliver.ts";
import { createIngress } from "../../../infra/relay/deliver/ingress.ts";
import { createOutbox, type Outbox, outboxKey } from "../../../infra/relay/outbox/outbox.ts";
import { createWatchdog, type Watchdog } from "../../../infra/relay/watchdog/watchdog.ts";
import { recordingLogger } from "../../support/recording-logger.ts";
import { createScriptedIngress, type ScriptedIngress, secret } from "../support/scripted-ingress.ts";

let clock: VirtualClock;
let ingress: ScriptedIngress;
let outbox: Outbox;
let delivery: Delivery;
let watchdog: Watchdog;
let leads: boolean;

beforeEach(() => {
  clock = createVirtualClock(Date.UTC(2026, 0, 1));
  ingress = createScriptedIngress(clock);
  ingress.holdWakes = true;
  outbox = createOutbox(clock.monotonic);
  leads = true;
  const common = {
    cluster: "home",
    ingress: createIngress({ ingress, secrets: [secret], clock, mayWrite: () => leads }),
    ...{ clock, logger: recordingLogger(), random: () => 0.5 },
  };
  delivery = createDelivery({
    ...{ ...common, outbox, onAnswer() {}, refetch: async () => {} },
    isDeclared: () => true,
  });
  watchdog = createWatchdog({ ...common, onAnswer() {} });
});

const trigger = (name: string) =>
  ({ controller: "docs", namespace: "default", name, reason: "object-updated", lane: "live" }) as const;

async function add(...names: string[]): Promise<void> {
  for (const name of names) outbox.add(trigger(name));
  delivery.wake();
  await clock.settle();
}

describe("R10 a delivery that is closed", () => {
  it("ends after the batch that is under way, which may be accepted", async () => {
    delivery.open();
    await add("a");
    await add("b");
    delivery.close();
    ingress.last().accept();
    await clock.advance(60_000);
    expect(ingress.asked.map(({ names }) => names)).toEqual([["a"]]);
    expect(outbox.size).toBe(1);
  });

  it("takes back what is not accepted, and says nothing of it", async () => {
    delivery.open();
    await add("a");
    delivery.close();
    ingress.last().break();
    await clock.advance(60_000);
    expect(ingress.asked).toHaveLength(1);
    expect(delivery.status()).toEqual({ pending: 1, dropped: 0, unknownControllers: [] });
  });

  it("ends in its backoff, and goes on at once when it is opened", async () => {
    delivery.open();
    await add("a");
    ingress.last().break();
    await clock.settle();
    delivery.close();
    await clock.advance(60_000);
    expect(ingress.asked).toHaveLength(1);
    delivery.open();
    await clock.settle();
    expect(ingress.last().names).toEqual(["a"]);
  });
});

describe("R10 the ingress of a relay that does not lead", () => {
  it("sends no trigger even before anybody closed the delivery", async () => {
    delivery.open();
    leads = false;
    await add("a");
    expect(ingress.asked).toEqual([]);
    leads = true;
    await clock.advance(1_000);
    expect(ingress.last().names).toEqual(["a"]);
  });

  it("sends no wake and no checkpoint, but questions", async () => {
    const { send } = createIngress({ ingress, secrets: [secret], clock, mayWrite: () => false });
    for (const [method, path] of [
      ["POST", "/triggers"],
      ["POST", "/wake"],
      ["PUT", "/checkpoint/home/index"],
    ] as const)
      await expect(send(method, path, new Uint8Array())).rejects.toThrow(new TypeError("another relay leads"));
    void send("GET", "/manifest");
    void send("POST", "/map/docs/secrets", new Uint8Array());
    await clock.settle();
    expect(ingress.asked.map(({ path }) => path)).toEqual(["/manifest", "/map/docs/secrets"]);
  });
});

describe("R12 a watchdog that rests", () => {
  const last = () => ingress.wakes.at(-1)!;

  it("asks nothing when it would be due", async () => {
    watchdog.wake();
    await clock.settle();
    last().accept({ nextWakeInMs: 1_000, timer: "relay" });
    await clock.settle();
    watchdog.rest();
    await clock.advance(600_000);
    expect(ingress.wakes).toHaveLength(1);
  });

  it("does not try again what failed", async () => {
    watchdog.wake();
    await clock.settle();
    last().break();
    await clock.settle();
    watchdog.rest();
    await clock.advance(600_000);
    expect(ingress.wakes).toHaveLength(1);
    expect(watchdog.status()).toEqual({});
  });

  it("asks at once when it is woken, whatever is still under way", async () => {
    watchdog.wake();
    await clock.settle();
    const before = last();
    watchdog.rest();
    watchdog.wake();
    await clock.settle();
    expect(ingress.wakes).toHaveLength(2);
    before.break();
    last().accept({ nextWakeInMs: 1_000, timer: "relay" });
    await clock.advance(1_000);
    expect(ingress.wakes).toHaveLength(3);
  });
});

it("R10 what somebody else has delivered is dropped from the outbox, in either lane", () => {
  outbox.add(trigger("a"));
  outbox.add({ ...trigger("b"), lane: "resync" });
  outbox.add(trigger("c"));
  for (const name of ["a", "b", "x"]) outbox.drop(outboxKey(trigger(name)));
  expect(outbox.all().map(({ name }) => name)).toEqual(["c"]);
});
