import { expect, it } from "vitest";
import { authenticate } from "../../../infra/relay/gateway/authenticate.ts";
import { ClockOffset } from "../../../infra/relay/gateway/clock-offset.ts";
import { MAX_IDS, SeenIds } from "../../../infra/relay/gateway/seen-ids.ts";
import { gatewayUnderTest, HOME, mapsIn } from "./gateway-under-test.ts";

const path = `${mapsIn("default")}/a`;

/** What the relay's fetch of the manifest tells of the functions' clock. */
function learn({ gateway, clock }: ReturnType<typeof gatewayUnderTest>, skewMs: number): void {
  const headers = new Headers({ "x-sluice-now-ms": String(clock.now() + skewMs) });
  gateway.offset.answered(clock.monotonic(), headers);
}

it("X1 what was sent before a restart is refused after it, whose memory of ids is empty", async () => {
  const before = gatewayUnderTest();
  const skewMs = 500;
  learn(before, skewMs);
  await before.clock.advance(10_000);
  const request = await before.requestOf("GET", path, { skewMs });
  expect((await before.gateway.fetch(request.clone())).status).toBe(404);

  const after = gatewayUnderTest();
  await after.clock.advance(11_000);
  const restarted = gatewayUnderTest({ clock: after.clock });
  learn({ ...restarted, clock: after.clock }, skewMs);
  expect((await restarted.gateway.fetch(request)).status).toBe(401);
  expect(restarted.upstream).toEqual([]);
});

it("X1 S5 functions whose clock is behind are served once an answer of theirs has told so", async () => {
  const gateway = gatewayUnderTest();
  const skewMs = -60_000;
  expect((await gateway.send("GET", path, { skewMs })).status).toBe(401);
  learn(gateway, skewMs);
  await gateway.clock.advance(1);
  expect((await gateway.send("GET", path, { skewMs })).status).toBe(404);
});

it("X1 a memory of ids that is full refuses what is new, for it could not refuse it again", async () => {
  const { clock, requestOf } = gatewayUnderTest();
  const ids = new SeenIds(clock);
  for (let i = 0; i < MAX_IDS; i++) ids.add(String(i), clock.now());
  const offset = new ClockOffset(clock);
  const authenticator = { cluster: "home", secrets: [HOME], clock, offset, ids, startedAt: 0 };
  const refused = authenticate(authenticator, await requestOf("GET", path), new Uint8Array());
  await expect(refused).rejects.toMatchObject({ status: 429, headers: { "retry-after": "1" } });
});
