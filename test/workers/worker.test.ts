import { createScheduledController, runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { requeueAfter } from "sluice";
import { expect, test, vi } from "vitest";
import { API_VERSION, keyOf } from "../../functions/contract/index.ts";
import { broken, runs } from "./runs.ts";
import worker from "./worker.ts";
import { begun, holds, object, passTime, send, stored, trigger, useWorker } from "./worker-under-test.ts";

useWorker();

const failureRecord = (name: string) =>
  env.SLUICE_KV.get(keyOf({ cluster: "home", controller: "tasks", namespace: "default", name }));

test("a run reads its object through the cluster's gateway", async () => {
  await trigger("a");
  (await begun(1)).answer();
  await holds(0);
  const [[url]] = vi.mocked(fetch).mock.calls as [[string]];
  expect(url).toBe("http://gateway.test/apis/test.sluice.dev/v1/namespaces/default/tasks/a");
});

test("S6, S15 a failure backs off with its record in KV; the success after it removes both", async () => {
  await trigger("a");
  (await begun(1)).fail(new Error("it broke"));
  await expect.poll(() => failureRecord("a"), { timeout: 5_000 }).toContain("it broke");
  const again = await begun(2); // a second later, by the platform's alarm
  expect(again.attempt).toBe(1);
  again.answer();
  await holds(0);
  expect(await failureRecord("a")).toBeNull();
});

test("S15 a success without failures never touches KV", async () => {
  await send("/wake", { cluster: "home" });
  await expect.poll(() => env.SLUICE_KV.get("shards:home"), { timeout: 5_000 }).toBe("1");
  const touched = (["get", "getWithMetadata", "put", "delete"] as const).map((name) => vi.spyOn(env.SLUICE_KV, name));
  await trigger("a");
  (await begun(1)).answer();
  await holds(0);
  for (const operation of touched) expect(operation).not.toHaveBeenCalled();
});

test("S15 a failure record that is still being written when the run answers is not cut off", async () => {
  const kept: Promise<unknown>[] = [];
  const key = { cluster: "home", controller: "tasks", namespace: "default", name: "a" };
  const body = { apiVersion: API_VERSION, key, reasons: [], attempt: 0, counts: true, lease: "l", deadlineMs: 1_000 };
  const request = new Request("http://worker.test/", { method: "POST", body: JSON.stringify(body) });
  runs.atOnce = () => {
    throw new Error("it broke");
  };
  await worker.fetch(request, env, { props: { sluice: "reconcile" }, waitUntil: (work) => void kept.push(work) });
  expect(kept).toHaveLength(1);
  await Promise.all(kept);
  expect(await failureRecord("a")).toContain("it broke");
});

test("S12 more keys than one event may start all run, 25 and then the rest by the next alarm", async () => {
  const names = Array.from({ length: 38 }, (_, at) => `n${at}`);
  runs.atOnce = () => undefined;
  await trigger(...names);
  await holds(0);
  expect(runs.all.map(({ name }) => name).sort()).toEqual([...names].sort());
});

test("cron wakes a scheduler whose alarm was dropped", async () => {
  await trigger("a");
  (await begun(1)).answer(requeueAfter({ hours: 1 }));
  await expect.poll(async () => (await stored()).requeued, { timeout: 5_000 }).toEqual(["a"]);
  await runInDurableObject(object(), (_, { storage }) => storage.deleteAlarm());
  passTime(3_600_000);
  await worker.scheduled(createScheduledController(), env);
  (await begun(2)).answer();
  await holds(0);
});

test("X1 nobody can ask for a run from outside", async () => {
  const key = { cluster: "home", controller: "tasks", namespace: "default", name: "a" };
  const body = { key, reasons: [], attempt: 0, counts: true, lease: "l", deadlineMs: 1_000 };
  for (const path of ["/reconcile", "/reconcile/tasks"]) expect((await send(path, body)).status).toBe(404);
  expect(runs.all).toEqual([]);
});

test("a request that is not signed is refused", async () => {
  const response = await exports.default.fetch("http://worker.test/triggers", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  expect(response.status).toBe(401);
});

test("S8, X4 dependencies that cannot be made pause the controller, and their secrets stay here", async () => {
  const lines = vi.spyOn(console, "log").mockImplementation(() => {});
  broken.context = `no such token: ${env.SLUICE_SECRET}`;
  await trigger("a");
  await expect.poll(() => lines.mock.calls.flat().join("\n")).toContain("pause");
  broken.context = undefined;
  const told = lines.mock.calls.flat().join("\n");
  expect(told).toContain("no such token: [secret]");
  expect(told).not.toContain(env.SLUICE_SECRET);
  (await begun(1)).answer(); // once the pause is over
  await holds(0);
});

test("X4 settings that are wrong are a 503 that tells nothing, and a line in the log that names the field", async () => {
  const lines = vi.spyOn(console, "log").mockImplementation(() => {});
  const wrong = { ...env, SLUICE_SECRET: "whsec_short" };
  const ctx = { waitUntil: () => {} };
  const response = await worker.fetch(new Request("http://worker.test/healthz"), wrong, ctx);
  expect([response.status, await response.text()]).toEqual([503, expect.not.stringContaining("short")]);
  expect(lines.mock.calls.flat().join("\n")).toContain("clusters[0].secrets: each must be whsec_");
  expect(lines.mock.calls.flat().join("\n")).not.toContain("short");
});
