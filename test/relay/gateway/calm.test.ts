import { expect, it } from "vitest";
import { createVirtualClock } from "../../../adapters/testing/virtual-clock.ts";
import { Calm } from "../../../infra/relay/gateway/calm.ts";

function waiting(limitMs = 5_000) {
  const clock = createVirtualClock(0);
  const calm = new Calm(clock);
  /** A request that takes so long. */
  const ask = (ms: number): Promise<void> =>
    calm.during(new Promise((resolve) => void clock.setTimer(ms, () => resolve())));
  let at: number | undefined;
  const wait = (): void =>
    void calm.wait(limitMs).then(() => {
      at = clock.monotonic();
    });
  return { clock, ask, wait, calmAt: () => at };
}

it("it is calm at once where nothing was asked lately", async () => {
  const { clock, ask, wait, calmAt } = waiting();
  void ask(10);
  await clock.advance(400);
  wait();
  await clock.settle();
  expect(calmAt()).toBe(400);
  expect(clock.timers).toBe(0);
});

it("it is calm 300 ms after the last answer, however long that took to come", async () => {
  const { clock, ask, wait, calmAt } = waiting();
  void ask(1_000);
  wait();
  await clock.advance(1_100);
  void ask(500);
  await clock.advance(1_000);
  expect(calmAt()).toBe(1_900);
});

it("it is given up after the limit, where somebody asks again and again", async () => {
  const { clock, ask, wait, calmAt } = waiting();
  for (let i = 0; i < 60; i++) {
    void ask(50);
    if (i === 0) wait();
    await clock.advance(100);
  }
  expect(calmAt()).toBe(5_000);
});
