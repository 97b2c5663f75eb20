import { describe, expect, it } from "vitest";
import { gatewayUnderTest, manifest, mapsIn, type Sent } from "./gateway-under-test.ts";

const maps = mapsIn("default");

/** A gateway of a relay that does not know yet what the functions declare, with a request that waits for it. */
async function waiting(sent: Sent = {}) {
  const under = gatewayUnderTest({}, { declared: null });
  const { clock, gateway, requestOf } = under;
  const answer = gateway.fetch(await requestOf("GET", maps, sent));
  let answered = false;
  void answer.then(() => {
    answered = true;
  });
  await clock.settle();
  return { ...under, answer, answered: () => answered };
}

describe("a request that comes before the relay knows what the functions declare", () => {
  it("waits for it, and is then served as any other", async () => {
    const { answer, answered, clock, gateway, upstream } = await waiting();
    await clock.advance(4_000);
    expect([answered(), upstream]).toEqual([false, []]);
    gateway.declare(manifest);
    const response = await answer;
    expect([response.status, (await response.json()).kind]).toEqual([200, "ConfigMapList"]);
    expect(clock.timers).toBe(0);
  });

  it("X2 reaches nothing but what its controller turns out to declare", async () => {
    const { answer, gateway, upstream } = await waiting({ controller: "others" });
    gateway.declare(manifest);
    expect((await answer).status).toBe(403);
    expect(upstream).toEqual([]);
  });

  it.each<[string, Sent, number]>([
    ["after 5 s", {}, 5_000],
    ["at its deadline, where that is sooner", { remainingMs: 700 }, 700],
  ])("is refused %s", async (_, sent, ms) => {
    const { answer, answered, clock } = await waiting(sent);
    await clock.advance(ms - 1);
    expect(answered()).toBe(false);
    await clock.advance(1);
    const response = await answer;
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(clock.timers).toBe(0);
  });

  it("is refused at once when the relay stops, or its client has gone", async () => {
    const { answer, gateway } = await waiting();
    gateway.stop();
    expect((await answer).status).toBe(503);
    const client = new AbortController();
    const gone = await waiting({ signal: client.signal });
    client.abort();
    expect((await gone.answer).status).toBe(503);
    expect(gone.clock.timers).toBe(0);
  });

  it("X1 waits for nothing where its signature does not fit", async () => {
    const { answer } = await waiting({ secrets: [`whsec_${btoa("a stranger's secret of 32 bytes!")}`] });
    expect((await answer).status).toBe(401);
  });
});
