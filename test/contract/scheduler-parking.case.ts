import { expect } from "vitest";
import { CLUSTER, CONTROLLER, refOf, requeue, triggerOf } from "../support/shard.ts";
import type { Suite } from "./scheduler-bench.ts";

const DAY_MS = 86_400_000;
const NOTHING = { controllers: [] };
const line = (controller: string) => ({ cluster: CLUSTER, controller });

/** S17: entries of controllers that are not declared. */
export function testParking({ start, test, durable }: Suite): void {
  const undeclared = (name: string) => triggerOf(name, { controller: "retired" });

  test("S17 an entry of a controller that is not declared starts nothing, and is shown", async () => {
    const b = await start();
    await b.accept(undeclared("a"), triggerOf("b"));
    await b.clock.advance(DAY_MS);
    expect(b.runs.map(({ request }) => request.key)).not.toContainEqual(refOf("a", "retired"));
    expect(b.scheduler.parked()).toEqual([{ ...line("retired"), entries: 1, deletedInMs: 29 * DAY_MS }]);
    expect(b.scheduler.inspect(refOf("a", "retired"))).toMatchObject({
      ...{ reasons: ["object-updated"], running: false, deletedInMs: 29 * DAY_MS },
    });
    expect(b.scheduler.inspect(refOf("b"))).toMatchObject({ deletedInMs: null });
  });

  test("S17 it is deleted after 30 days", async () => {
    const b = await start();
    expect((await b.accept(undeclared("a"))).nextWakeInMs).toBe(30 * DAY_MS); // S4
    await b.clock.advance(30 * DAY_MS - 1);
    expect(b.scheduler.size().entries).toBe(1);
    await b.clock.advance(1);
    expect(b.scheduler.size().entries).toBe(0);
    expect(b.clock.timers).toBe(0);
  });

  test("S17 it is deleted by command, which says how many there were", async () => {
    const b = await start();
    await b.accept(undeclared("a"), undeclared("b"), triggerOf("c", { controller: "another" }));
    expect(await b.scheduler.deleteParked(line("retired"))).toBe(2);
    expect(b.scheduler.parked().map(({ controller }) => controller)).toEqual(["another"]);
    expect(await b.scheduler.deleteParked(line("retired"))).toBe(0);
  });

  test("S17 the command refuses a controller that is declared", async () => {
    const b = await start({ debounceMs: 60_000 });
    await b.accept(triggerOf("a"));
    await expect(b.scheduler.deleteParked(line(CONTROLLER))).rejects.toThrow(`${CONTROLLER} is declared`);
    expect(b.scheduler.size().entries).toBe(1);
  });

  if (!durable) return;

  test("S17 what a reload finds without its controller is kept, and runs once that is declared again", async () => {
    const b = await start();
    await b.accept(triggerOf("waits"), triggerOf("runs"));
    await b.clock.settle();
    await b.answer(0, requeue(60_000));
    await b.restart(NOTHING);
    await b.clock.advance(2 * DAY_MS);
    await b.restart(NOTHING);
    expect(b.runs).toHaveLength(2);
    expect(b.scheduler.parked()).toEqual([{ ...line(CONTROLLER), entries: 2, deletedInMs: 28 * DAY_MS }]);
    await b.restart();
    expect(b.scheduler.parked()).toEqual([]);
    expect(b.names().slice(2).sort()).toEqual(["runs", "waits"]);
    expect(b.runs.find(({ request }, i) => i > 1 && request.key.name === "runs")!.request.attempt).toBe(0); // S6
  });

  test("S17 what was deleted by command stays deleted", async () => {
    const b = await start();
    await b.accept(triggerOf("a"));
    await b.clock.settle();
    await b.answer(0, requeue(60_000));
    await b.restart(NOTHING);
    expect(await b.scheduler.deleteParked(line(CONTROLLER))).toBe(1);
    await b.restart();
    expect(b.scheduler.size().entries).toBe(0);
  });

  test("S17 a cluster that leaves is parked, and goes on where it was when it comes back", async () => {
    const b = await start({}, { clusters: ["home", "away"] });
    for (const [run, cluster] of ["home", "away"].entries()) {
      await b.scheduler.accept(cluster, [triggerOf(cluster)]);
      await b.clock.settle();
      await b.answer(run, requeue(5_000));
    }
    await b.restart({ clusters: ["home"] });
    await b.clock.advance(60_000);
    expect(b.names()).toEqual(["home", "away", "home"]);
    const away = { cluster: "away", controller: CONTROLLER };
    expect(b.scheduler.parked()).toEqual([{ ...away, entries: 1, deletedInMs: 30 * DAY_MS - 60_000 }]);
    expect(b.scheduler.inspect(refOf("home"))).toMatchObject({ deletedInMs: null });
    await b.restart();
    expect(b.scheduler.parked()).toEqual([]);
    expect(b.names().slice(3)).toContain("away");
  });
}
