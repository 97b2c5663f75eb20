import {
  abortAllDurableObjects,
  createScheduledController,
  evictDurableObject,
  runInDurableObject,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { requeueAfter } from "sluice";
import type { SchedulerObject } from "sluice/cloudflare";
import { expect, test } from "vitest";
import { runs } from "./runs.ts";
import worker from "./worker.ts";
import { begun, holds, object, passTime, stored, trigger, useWorker } from "./worker-under-test.ts";

useWorker();

const HOUR_MS = 3_600_000;
const LEASE_MS = 15_000;
const WAVE = ["a", "b", "c", "d", "e"];

const sound = (): Promise<void> => runInDurableObject(object(), (instance) => (instance as SchedulerObject).alarm());
const namesOf = (from: number) =>
  runs.all
    .slice(from)
    .map(({ name }) => name)
    .sort();

/** Five tasks that come due together and run as one wave: the runs 5 to 9. */
async function startWave(): Promise<void> {
  await trigger(...WAVE);
  await begun(5);
  for (const run of runs.all) run.answer(requeueAfter({ hours: 1 }));
  await expect.poll(async () => (await stored()).requeued.length, { timeout: 5_000 }).toBe(5);
  passTime(HOUR_MS);
  await sound();
  await begun(10);
}

test("S14 an object that was evicted goes on where it was", async () => {
  await trigger("a");
  (await begun(1)).answer(requeueAfter({ hours: 1 }));
  await expect.poll(async () => (await stored()).requeued, { timeout: 5_000 }).toEqual(["a"]);
  await evictDurableObject(object());
  passTime(HOUR_MS);
  await sound();
  (await begun(2)).answer();
  await holds(0);
});

test("S14 a reload leaves an alarm that is early enough as it is: a setting costs a row", async () => {
  await trigger("a");
  (await begun(1)).answer(requeueAfter({ hours: 1 }));
  await expect.poll(async () => (await stored()).requeued, { timeout: 5_000 }).toEqual(["a"]);
  const { alarm } = await stored(); // at the end of a lease that is over
  await evictDurableObject(object());
  await worker.scheduled(createScheduledController(), env);
  expect((await stored()).alarm).toBe(alarm);
});

// An ordinary eviction waits for what is under way; only an object that the platform ends leaves a wave behind.
test("S5 an object that ends in mid-wave: the settled stay settled, the others keep their leases and run when those end", async () => {
  await startWave();
  expect((await stored()).waves).toBe(1);
  const [first, second] = runs.all.slice(5);
  first!.answer();
  second!.answer();
  await holds(3);
  const left = namesOf(5).filter((name) => name !== first!.name && name !== second!.name);

  await abortAllDurableObjects();
  await trigger(...WAVE);
  await begun(12);
  expect(namesOf(10)).toEqual([first!.name, second!.name].sort());
  for (const run of runs.all.slice(10)) run.answer();
  await holds(3);

  passTime(LEASE_MS);
  await sound();
  for (const count of [13, 14, 15]) (await begun(count)).answer(); // S6: one at a time
  await holds(0);
  expect(namesOf(12)).toEqual(left);
  expect(runs.all.slice(12).map(({ attempt }) => attempt)).toEqual([0, 0, 0]);
  expect((await stored()).waves).toBe(0);
});
