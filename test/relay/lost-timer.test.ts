/**
 * A platform that loses its timers (a Durable Object's alarm is dropped after its retries), or has none: the relay sees to it
 * that everything that was to run does.
 */
import { awaitChange, requeueAfter } from "sluice";
import { describe, expect, it } from "vitest";
import { loop, MAPS, map, type Reconcile, timedByRelay, version, withoutTimers } from "./support/loop.ts";

/** Fails at first, then is polled once, then waits for a change. */
function scripted(): Reconcile {
  const runs = new Map<string, number>();
  return ({ metadata: { name } }) => {
    const run = (runs.get(name) ?? 0) + 1;
    runs.set(name, run);
    if (name === "failing" && run === 1) throw new Error("not yet");
    return name === "polled" && run === 1 ? requeueAfter({ minutes: 5 }) : awaitChange();
  };
}

describe("R12 a platform that loses every timer", () => {
  it("costs a delay, never a key", async () => {
    const { kubectl, pass, rest, runs, scheduler, startRelay } = await loop(await version(scripted()), {
      clock: withoutTimers,
    });
    startRelay();
    await rest();
    for (const name of ["calm", "failing", "polled"]) await kubectl.create(MAPS, map(name));
    await rest();
    expect(runs).toEqual(["calm", "failing", "polled"].map((name) => `${name} by the first after 0 s`));
    // The relay was told of the leases' end at 65 s; 30 s later it looks, and hears of the poll.
    await pass(94_000);
    expect(runs).toHaveLength(3);
    await pass(1_000);
    expect(runs.slice(3)).toEqual(["failing by the first after 95 s"]);
    await pass(234_000);
    expect(runs).toHaveLength(4);
    await pass(1_000);
    expect(runs.slice(4)).toEqual(["polled by the first after 330 s"]);
    await pass(95_000);
    expect(scheduler.size()).toEqual({ entries: 0, running: 0 });
  });

  it("costs no key when the relay that was told is killed", async () => {
    const { kubectl, pass, reasons, rest, runs, startRelay } = await loop(await version(scripted()), {
      clock: withoutTimers,
    });
    const { kill } = startRelay();
    await rest();
    await kubectl.create(MAPS, map("polled"));
    await rest();
    await kill();
    await pass(600_000);
    expect(runs).toHaveLength(1);
    startRelay();
    await rest();
    expect(runs[1]).toBe("polled by the first after 605 s");
    expect(reasons[1], "it was woken, not listed").toEqual(["requeue"]);
  });
});

it("R12 where the relay is the timer, what is due starts on time, and a second late after a run", async () => {
  const { kubectl, pass, rest, runs, scheduler, startRelay } = await loop(await version(scripted()), {
    clock: withoutTimers,
    scheduler: timedByRelay,
  });
  startRelay();
  await rest();
  for (const name of ["failing", "polled"]) await kubectl.create(MAPS, map(name));
  await pass(2_000);
  expect(runs.slice(2)).toEqual([expect.stringMatching(/^failing by the first after [12] s$/)]);
  await pass(297_000);
  expect(runs).toHaveLength(3);
  await pass(2_000);
  expect(runs.slice(3)).toEqual([expect.stringMatching(/^polled by the first after 30[01] s$/)]);
  await pass(2_000);
  expect(scheduler.size()).toEqual({ entries: 0, running: 0 });
});
