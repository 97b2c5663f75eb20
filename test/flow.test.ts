/**
 * READ FIRST: the whole loop in one process, on a virtual clock. A person changes the cluster; the relay sees it and delivers a
 * signed trigger; the ingress commits it to the scheduler; the scheduler calls the function, which re-reads the object by
 * key and answers with an Action; the scheduler settles the key, and wakes when time comes.
 */
import { awaitChange, crdOf, customResource, defineController, type Infer, requeueAfter } from "sluice";
import { ConfigMap, Secret } from "sluice/kinds";
import { createApiServer, createVirtualClock } from "sluice/testing";
import { expect, test, vi } from "vitest";
import * as z from "zod";
import { createMemoryKeyValue } from "../adapters/kv/memory.ts";
import { createMemoryScheduler } from "../adapters/scheduler/memory.ts";
import type { ReconcileRequest, SchedulingOptions } from "../functions/contract/index.ts";
import { manifestOf } from "../functions/controller/manifest.ts";
import { runReconcile } from "../functions/controller/run.ts";
import { createIngress } from "../functions/http/ingress.ts";
import { startRelay } from "../infra/relay/relay.ts";
import { person } from "./support/cluster.ts";
import { recordingLogger } from "./support/recording-logger.ts";

// ── What a user writes ─────────────────────────────────────────────────────────────────────────────────────────────────

const Page = customResource({
  group: "example.com",
  version: "v1",
  kind: "Page",
  plural: "pages",
  scope: "Namespaced",
  spec: z.object({ text: z.string(), secretName: z.string().optional(), pollMinutes: z.int().optional() }),
  status: z.object({ phase: z.string() }).partial(),
});
type Page = Infer<typeof Page>;

const cleanedUp: string[] = [];

const pages = defineController()({
  name: "pages",
  for: Page,
  owns: [{ resource: ConfigMap, ownWrites: "ignore" }],
  watches: [{ resource: Secret, namedBy: ".spec.secretName" }],
  async reconcile(page: Page, { kube }) {
    const { name, namespace } = page.metadata;
    const { text, secretName, pollMinutes } = page.spec;
    if (text === "broken") throw new Error("the text is broken");
    if (secretName && !(await kube.find(Secret, { namespace, name: secretName }))) {
      await kube.patchStatus(page, { phase: "WaitingForSecret" });
      return awaitChange(); // the relay wakes it when the Secret appears
    }
    await kube.apply<ConfigMap>(
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data: { text } },
      { owner: page },
    );
    await kube.patchStatus(page, { phase: "Ready" });
    return pollMinutes ? requeueAfter({ minutes: pollMinutes }) : awaitChange();
  },
  finalizer: "example.com/pages",
  cleanup(page) {
    cleanedUp.push(page.metadata.name);
  },
});

// ── What a runtime composes of it ──────────────────────────────────────────────────────────────────────────────────────

async function startEverything() {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const logger = recordingLogger();
  const server = createApiServer({ clock });
  await server.applyCrd(crdOf(Page));
  const { transport } = server;
  const manifest = await manifestOf([pages]);
  const kv = createMemoryKeyValue(clock);
  const runs: ReconcileRequest[] = [];
  const invoker = {
    invoke(request: ReconcileRequest) {
      runs.push(request);
      return runReconcile(pages, request, { transport, kv, clock, logger, env: {}, context: {}, secrets: [] });
    },
  };
  const controllers = new Map<string, SchedulingOptions>(
    manifest.controllers.map((each) => [each.name, each.scheduling]),
  );
  const scheduler = createMemoryScheduler({
    controllers,
    clusters: new Set(["home"]),
    invoker,
    clock,
    logger,
    random: () => 0.5,
  });
  const secrets = [`whsec_${btoa("0123456789abcdef0123456789abcdef")}`];
  const ingress = createIngress({ manifest, clusters: [{ name: "home", secrets }], scheduler, clock, logger });
  const overTheWire = { fetch: async (path: string, init: RequestInit) => ingress.request(path, init) };
  const relay = startRelay({
    cluster: "home",
    transport,
    ingress: overTheWire,
    secrets,
    clock,
    logger,
    random: () => 0.5,
  });
  await clock.advance(0);
  await relay.synced;
  return { clock, server, kubectl: person(server), runs, scheduler, kv };
}

const PAGES = "/apis/example.com/v1/namespaces/default/pages";
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const page = (name: string, spec: object) => ({ apiVersion: "example.com/v1", kind: "Page", metadata: { name }, spec });

test("the loop: created, changed, drifted, failed, polled, waited for, deleted", async () => {
  const { clock, kubectl, runs, scheduler, kv } = await startEverything();
  /** Lets everything that needs no time happen, the whole way round. */
  const rest = async () => {
    for (let hops = 0; hops < 10; hops++) await clock.settle();
  };
  const pass = async (ms: number) => {
    await clock.advance(ms);
    await rest();
  };

  await kubectl.create(PAGES, page("a", { text: "one" }));
  await rest();
  expect(await kubectl.get(`${CONFIG_MAPS}/a`)).toMatchObject({
    data: { text: "one" },
    metadata: { ownerReferences: [{ name: "a", controller: true }] },
  });
  expect(await kubectl.get(`${PAGES}/a`)).toMatchObject({
    status: { phase: "Ready" },
    metadata: { finalizers: ["example.com/pages"] },
  });
  expect(runs).toHaveLength(1); // its own writes, and its status, woke nobody
  expect(scheduler.size()).toEqual({ entries: 0, running: 0 }); // a key that waits for a change costs nothing

  await pass(1_000); // managedFields tell own writes apart by their time, in whole seconds
  await kubectl.merge(`${PAGES}/a`, { spec: { text: "two" } });
  await rest();
  expect(await kubectl.get(`${CONFIG_MAPS}/a`)).toMatchObject({ data: { text: "two" } });
  expect(runs).toHaveLength(2);

  await kubectl.delete(`${CONFIG_MAPS}/a`);
  await rest();
  expect(await kubectl.get(`${CONFIG_MAPS}/a`)).toMatchObject({ data: { text: "two" } });
  expect(runs.at(-1)).toMatchObject({ reasons: ["related-object-updated"] });

  await kubectl.merge(`${PAGES}/a`, { spec: { text: "broken" } });
  await rest();
  await pass(1_000); // the first retry, which fails too
  expect(runs.at(-1)).toMatchObject({ attempt: 1, reasons: ["error-retry"] });
  expect(JSON.parse((await kv.get("home/pages/default/a"))!)).toMatchObject({
    attempt: 2,
    lastError: expect.stringContaining("broken"),
  });
  await kubectl.merge(`${PAGES}/a`, { spec: { text: "mended", pollMinutes: 5 } });
  await pass(1_000);
  expect(await kubectl.get(`${CONFIG_MAPS}/a`)).toMatchObject({ data: { text: "mended" } });
  expect(await kv.get("home/pages/default/a")).toBeUndefined(); // the success cleared it

  const before = runs.length;
  await pass(5 * 60_000);
  expect(runs.slice(before).map(({ reasons }) => reasons)).toEqual([["requeue"]]);

  await kubectl.create(PAGES, page("b", { text: "secret", secretName: "later" }));
  await rest();
  expect(await kubectl.get(`${PAGES}/b`)).toMatchObject({ status: { phase: "WaitingForSecret" } });
  await kubectl.create("/api/v1/namespaces/default/secrets", {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "later" },
  });
  await rest();
  expect(await kubectl.get(`${PAGES}/b`)).toMatchObject({ status: { phase: "Ready" } });

  await kubectl.delete(`${PAGES}/a`);
  await rest();
  expect(cleanedUp).toEqual(["a"]);
  await vi.waitFor(async () => expect(await kubectl.get(`${CONFIG_MAPS}/a`)).toBeUndefined());
  expect(await kubectl.get(`${PAGES}/a`)).toBeUndefined();
  await rest();
  expect(scheduler.size()).toEqual({ entries: 0, running: 0 });
});
