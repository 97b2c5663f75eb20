import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { begun, CLUSTER, holds, object, send, trigger, useWorker } from "./worker-under-test.ts";

useWorker();

test("S17, S21 the name of a cluster that has an object is kept in KV, though KV failed at first", async () => {
  const put = vi.spyOn(env.SLUICE_KV, "put").mockRejectedValueOnce(new Error("KV is away"));
  await send("/wake", { cluster: CLUSTER });
  await abortAllDurableObjects();
  await send("/wake", { cluster: CLUSTER });
  await expect.poll(() => env.SLUICE_KV.get(`shards:${CLUSTER}`), { timeout: 5_000 }).toBe("1");
  const tries = put.mock.calls.length;
  await abortAllDurableObjects();
  await send("/wake", { cluster: CLUSTER });
  await trigger("a");
  (await begun(1)).answer();
  await holds(0);
  expect(put).toHaveBeenCalledTimes(tries);
});

test("S21 the object that had the keys of all clusters deletes its rows and its alarm when it is loaded next", async () => {
  const ofAll = () => env.SLUICE_SCHEDULER.getByName("0");
  await runInDurableObject(ofAll(), async (_, { storage }) => {
    storage.sql.exec("CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
    storage.sql.exec("CREATE TABLE entry (key TEXT PRIMARY KEY, wave INTEGER, entry TEXT) WITHOUT ROWID");
    storage.sql.exec("INSERT INTO meta (name, value) VALUES ('schema', '1'), ('epoch', 'an epoch')");
    storage.sql.exec("INSERT INTO entry (key, wave, entry) VALUES ('home/tasks/default/a', 0, '{}')");
    await storage.setAlarm(Date.now() + 3_600_000);
  });
  await abortAllDurableObjects();
  await runInDurableObject(ofAll(), async (_, { storage }) => {
    expect(storage.sql.exec("SELECT name FROM sqlite_master WHERE name IN ('meta', 'entry')").toArray()).toEqual([]);
    expect(await storage.getAlarm()).toBeNull();
  });
});

test("an alarm of an object that holds nothing finds nothing", async () => {
  await expect(
    runInDurableObject(object(), (instance) => (instance as { alarm: () => Promise<void> }).alarm()),
  ).resolves.toBeUndefined();
});
