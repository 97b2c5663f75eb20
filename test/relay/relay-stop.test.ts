import { describe, expect, it } from "vitest";
import { document, relayUnderTest } from "./support/relay-under-test.ts";

describe("a stop of the relay", () => {
  it("ends the watches, and delivers what is pending", async () => {
    const { api, clock, ingress, relay, sync } = relayUnderTest();
    const stream = await sync();
    stream.send({ type: "MODIFIED", object: document("a", "11", 2) });
    await clock.settle();
    stream.send({ type: "MODIFIED", object: document("a", "12", 3) });
    await clock.settle();
    let stopped = false;
    void relay.stop().then(() => {
      stopped = true;
    });
    await clock.settle();
    expect(stream.cancelled).toBe(true);
    expect(stopped).toBe(false);
    for (let batch = 0; batch < 2; batch++) {
      ingress.last().accept();
      await clock.settle();
    }
    expect(stopped).toBe(true);
    expect(clock.timers).toBe(0);
    const asked = api.asked.length;
    await clock.advance(600_000);
    expect(api.asked).toHaveLength(asked);
  });

  it("tries again at once what waits, and gives up after 5 s", async () => {
    const { clock, ingress, relay, sync } = relayUnderTest();
    const stream = await sync();
    stream.send({ type: "MODIFIED", object: document("a", "11", 2) });
    await clock.settle();
    ingress.last().refuse(503, "unavailable", { "retry-after": "300" });
    await clock.settle();
    const before = ingress.asked.length;
    const stopped = relay.stop();
    await clock.settle();
    expect(ingress.asked).toHaveLength(before + 1);
    await clock.advance(5_000);
    await stopped;
    expect(ingress.last().signal.aborted).toBe(true);
    await clock.settle();
    expect(clock.timers).toBe(0);
    await clock.advance(600_000);
    expect(ingress.asked).toHaveLength(before + 1);
  });

  it("before there is a manifest ends too", async () => {
    const { api, clock, ingress, relay } = relayUnderTest();
    await clock.settle();
    await relay.stop();
    await clock.advance(600_000);
    expect(ingress.asked).toHaveLength(1);
    expect(api.asked).toEqual([]);
  });
});
