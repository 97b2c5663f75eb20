import { beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../adapters/testing/virtual-clock.ts";

let clock: VirtualClock;
let fired: string[];
beforeEach(() => {
  clock = createVirtualClock(1_000);
  fired = [];
});
const note = (text: string) => () => void fired.push(`${text} at ${clock.now()}`);

describe("the virtual clock", () => {
  it("stands still until it is moved", async () => {
    clock.setTimer(1, note("a"));
    await clock.settle();
    expect([clock.now(), clock.monotonic(), fired]).toEqual([1_000, 0, []]);
  });

  it("fires timers in order of their time, then of their setting", async () => {
    clock.setTimer(20, note("c"));
    clock.setTimer(10, note("a"));
    clock.setTimer(10, note("b"));
    clock.setTimer(31, note("d"));
    await clock.advance(30);
    expect(fired).toEqual(["a at 1010", "b at 1010", "c at 1020"]);
    expect(clock.now()).toBe(1_030);
    await clock.advance(1);
    expect(fired).toHaveLength(4);
  });

  it("fires what a timer, or a promise that it settles, sets meanwhile", async () => {
    clock.setTimer(10, () => {
      note("a")();
      void crypto.subtle.digest("SHA-256", new Uint8Array()).then(() => clock.setTimer(5, note("b")));
    });
    await clock.advance(20);
    expect(fired).toEqual(["a at 1010", "b at 1015"]);
  });

  it("does not fire what was cancelled", async () => {
    const cancel = clock.setTimer(10, note("a"));
    cancel();
    await clock.advance(20);
    expect(fired).toEqual([]);
  });

  it("steps the wall clock without time passing", async () => {
    clock.setTimer(10, note("a"));
    clock.step(-500);
    expect([clock.now(), clock.monotonic()]).toEqual([500, 0]);
    await clock.advance(10);
    expect(fired).toEqual(["a at 510"]);
  });
});
