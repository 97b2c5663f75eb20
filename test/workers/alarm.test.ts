import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { requeueAfter } from "sluice";
import type { SchedulerObject } from "sluice/cloudflare";
import { expect, test } from "vitest";
import { runs } from "./runs.ts";
import {
  begun,
  CLUSTER,
  holds,
  object,
  passTime,
  send,
  sendTriggers,
  stored,
  trigger,
  useWorker,
} from "./worker-under-test.ts";

useWorker();

const HOUR_MS = 3_600_000;

/** A task that is due in an hour. */
async function waiting(name: string): Promise<void> {
  const before = runs.all.length;
  await trigger(name);
  (await begun(before + 1)).answer(requeueAfter({ hours: 1 }));
  await expect.poll(async () => (await stored()).requeued, { timeout: 5_000 }).toContain(name);
}

const sound = (): Promise<void> => runInDurableObject(object(), (instance) => (instance as SchedulerObject).alarm());

/** Waits until the alarm is set, and says when it fires. */
async function alarmOfLease(): Promise<number> {
  await expect.poll(async () => (await stored()).alarm, { timeout: 10_000 }).not.toBeNull();
  return (await stored()).alarm!;
}

test("S4 a trigger starts its run at once, tells the relay when its lease ends, and leaves no row", async () => {
  const { nextWakeInMs } = await trigger("a");
  expect(nextWakeInMs).toBe(15_000);
  (await begun(1)).answer();
  await holds(0);
  expect((await stored()).alarm).toBeNull();
});

test("S4 a run that takes a second has its lease's end as the alarm", async () => {
  await trigger("a");
  const run = await begun(1);
  expect(Math.abs((await alarmOfLease()) - Date.now() - 15_000)).toBeLessThan(5_000);
  run.answer();
  await holds(0);
});

test("S4 the platform's alarm starts what is due, in its own time", async () => {
  await trigger("a");
  (await begun(1)).answer(requeueAfter({ milliseconds: 50 }));
  (await begun(2)).answer();
  await holds(0);
});

test("S4 an alarm that is not needed any more finds nothing, and sets none", async () => {
  await trigger("a");
  const run = await begun(1);
  await alarmOfLease();
  run.answer();
  await holds(0);
  expect(await runDurableObjectAlarm(object())).toBe(true);
  expect((await stored()).alarm).toBeNull();
});

test("S4 an alarm that comes early starts nothing, and is set again", async () => {
  await waiting("a");
  expect(await runDurableObjectAlarm(object())).toBe(true);
  expect(Math.abs((await stored()).alarm! - Date.now() - HOUR_MS)).toBeLessThan(5_000);
  expect(runs.all).toHaveLength(1);
});

test("S4 an alarm that comes late starts what was due", async () => {
  await waiting("a");
  passTime(5 * HOUR_MS);
  await sound();
  (await begun(2)).answer();
  await holds(0);
});

test("S2 an alarm that comes twice starts one run", async () => {
  await waiting("a");
  passTime(HOUR_MS);
  await Promise.all([sound(), sound()]);
  await sound();
  (await begun(2)).answer();
  await holds(0);
  expect(runs.all).toHaveLength(2);
});

test("S4 a dropped alarm is set again by the next trigger, which starts what became due meanwhile", async () => {
  await waiting("a");
  await runInDurableObject(object(), (_, { storage }) => storage.deleteAlarm());
  passTime(HOUR_MS);
  await trigger("b");
  await begun(3);
  expect(runs.all.map(({ name }) => name).sort()).toEqual(["a", "a", "b"]);
  expect(await alarmOfLease()).toBeGreaterThan(Date.now());
});

/** From now on nothing can be written, until what is returned is called. */
async function fillDisk(): Promise<() => Promise<void>> {
  const run = (statement: (table: string) => string) =>
    runInDurableObject(object(), (_, { storage }) => {
      for (const table of ["entry", "wave"]) storage.sql.exec(statement(table));
    });
  await run((table) => `CREATE TRIGGER full_${table} BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'full'); END`);
  return () => run((table) => `DROP TRIGGER full_${table}`);
}

test("S4 an alarm whose work fails does not throw, and is set for the next try", async () => {
  await waiting("a");
  const emptyDisk = await fillDisk();
  passTime(HOUR_MS);
  await sound();
  expect((await stored()).alarm! - Date.now()).toBeGreaterThan(500);
  expect(runs.all).toHaveLength(1);
  await emptyDisk();
  passTime(1_000);
  await sound();
  (await begun(2)).answer();
  await holds(0);
});

test("S3 a commit that fails refuses the triggers, and the object serves on", async () => {
  await send("/wake", { cluster: CLUSTER }); // so that there are tables
  const emptyDisk = await fillDisk();
  const refused = await sendTriggers("a");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(runs.all).toEqual([]);
  await emptyDisk();
  await trigger("a");
  (await begun(1)).answer();
  await holds(0);
});
