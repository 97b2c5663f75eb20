import { describe, expect, it } from "vitest";
import { DOCUMENTS, running } from "./restarts.ts";

/** A relay at rest whose functions are away from now on, for as long as is said. */
async function away(ms: number) {
  const bench = await running();
  const backAt = bench.clock.monotonic() + ms;
  bench.world.instead = () =>
    bench.clock.monotonic() < backAt ? Promise.reject(new TypeError("fetch failed")) : undefined;
  return bench;
}

describe("R7 a relay that is stopped while the functions are away", () => {
  it("tries again soon to save, and has saved when they are back within its grace", async () => {
    const { relay, start, triggered, asked } = await away(4_000);
    await relay.stop();
    expect(asked).toContainEqual(expect.stringMatching(/^PUT .*\/index$/));
    await start();
    expect(triggered()).toEqual([]);
  });

  it("R5 delivers what is pending within its grace, however long it has waited before", async () => {
    const { clock, kubectl, relay, triggered } = await away(62_000);
    await kubectl().merge(`${DOCUMENTS}/b`, { spec: { title: "x" } });
    await clock.advance(60_000);
    const stopped = relay.relay.stop();
    await clock.advance(2_600);
    expect(triggered()).toEqual(["live docs/b", "live more/b"]);
    await clock.advance(10_000);
    await stopped;
  });

  it("gives up when its grace is over: 5 s to deliver, 5 s to save", async () => {
    const { clock, relay, world } = await away(Number.POSITIVE_INFINITY);
    const startedAt = clock.monotonic();
    let stoppedAt: number | undefined;
    const stopped = relay.relay.stop().then(() => {
      stoppedAt = clock.monotonic();
    });
    await clock.advance(30_000);
    await stopped;
    expect(stoppedAt! - startedAt).toBeLessThanOrEqual(10_000);
    const asked = world.asked.length;
    await clock.advance(60_000);
    expect(world.asked).toHaveLength(asked);
    expect(clock.timers).toBe(0);
  });
});

it("R7 a relay that is stopped saves nothing over another one's checkpoint, and does not wait to", async () => {
  const { clock, relay, start, world } = await running();
  const { stop } = await start();
  await stop();
  world.asked.length = 0;
  let stopped = false;
  void relay.relay.stop().then(() => {
    stopped = true;
  });
  await clock.advance(400);
  expect(stopped).toBe(true);
  expect(world.asked).toEqual(["GET /checkpoint/home/index"]);
});
