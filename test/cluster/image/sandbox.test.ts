import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crdOf } from "sluice";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Trigger } from "../../../functions/contract/index.ts";
import { manifestOf } from "../../../functions/controller/manifest.ts";
import { buildRelay } from "../../../infra/image/build.ts";
import { type Account, allowEverywhere, createAccount } from "../gateway/accounts.ts";
import { SECRET, widgetsOf } from "../loop/deployment.ts";
import { newRecorder, Widget, widgetsController } from "../loop/widgets.ts";
import { applyCrd, newNamespace, sharedCluster } from "../support/cluster.ts";
import { eventually } from "../support/eventually.ts";
import { freePorts } from "../support/free-ports.ts";
import type { ProcessUnderTest } from "../support/process-under-test.ts";
import { type RecordedFunctions, serveFunctions } from "./functions.ts";
import { runInSandbox } from "./sandbox.ts";

const LIMIT_MS = 60_000;
const { api, server, ca } = sharedCluster();
const dir = mkdtempSync(join(tmpdir(), "sluice-image-"));
const bundle = join(dir, "relay.js");
const triggers: Trigger[] = [];
let functions: RecordedFunctions;
let relay: ProcessUnderTest;
let namespace: string;
let gateway: string;
let operations: string;

/** A fresh token of the service account, as the kubelet mounts it. */
async function tokenOf(account: Account): Promise<string> {
  const path = `/api/v1/namespaces/${account.namespace}/serviceaccounts/${account.name}/token`;
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 3600 } };
  return ((await api.create(path, request)).status as { token: string }).token;
}

beforeAll(async () => {
  await Promise.all([buildRelay(bundle), applyCrd(api, crdOf(Widget))]);
  namespace = await newNamespace(api);
  const account = await createAccount(api, { namespace, name: "relay" });
  const verbs = ["get", "list", "watch"];
  await allowEverywhere(api, account, [
    { apiGroups: ["test.sluice.dev"], resources: ["widgets"], verbs },
    { apiGroups: [""], resources: ["configmaps", "secrets"], verbs },
    // The uid of kube-system tells which cluster this is.
    { apiGroups: [""], resources: ["namespaces"], verbs: ["get"] },
  ]);
  functions = await serveFunctions(await manifestOf([widgetsController(newRecorder())]));
  functions.onAccepted = (batch) => triggers.push(...batch);
  const [port = 0, metricsPort = 0] = await freePorts(2);
  operations = `http://127.0.0.1:${metricsPort}`;
  gateway = `http://127.0.0.1:${port}`;
  const { hostname, port: apiPort } = new URL(server);
  relay = runInSandbox({
    bundle,
    account: { token: await tokenOf(account), "ca.crt": ca, namespace },
    env: {
      KUBERNETES_SERVICE_HOST: hostname,
      KUBERNETES_SERVICE_PORT: apiPort,
      SLUICE_CLUSTER: "home",
      SLUICE_INGRESS: functions.url,
      SLUICE_SECRET: SECRET,
      SLUICE_GATEWAY_PORT: String(port),
      SLUICE_METRICS_PORT: String(metricsPort),
      SLUICE_SERVICE_ACCOUNT: `${namespace}/functions`,
    },
    hosts: [new URL(server).host, new URL(functions.url).host, `0.0.0.0:${port}`, `0.0.0.0:${metricsPort}`],
  });
  await relay.printed("ready", { timeoutMs: LIMIT_MS });
});
afterAll(async () => {
  await relay?.kill9();
  await functions?.close();
  await api.close();
  rmSync(dir, { recursive: true, force: true });
});

const ofRelay = (file: string) => readFileSync(`/proc/${relay.pid}/${file}`, "utf8");

test("the bundle runs as an unprivileged user without any capability", () => {
  const status = ofRelay("status");
  expect(status).toMatch(/^Uid:\t65532\t65532\t65532\t65532$/m);
  expect(status).toMatch(/^Gid:\t65532\t65532\t65532\t65532$/m);
  for (const set of ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"])
    expect(status).toMatch(new RegExp(`^${set}:\t0{16}$`, "m"));
  expect(status).toMatch(/^NoNewPrivs:\t1$/m);
});

test("its root is read-only and holds no shell, and nothing in it may be written to", () => {
  const root = `/proc/${relay.pid}/root`;
  expect(statSync(`${root}/sluice/relay.js`).size).toBeGreaterThan(100_000);
  for (const shell of ["bin/sh", "bin/bash", "usr/bin/sh", "usr/bin/env"])
    expect(() => statSync(`${root}/${shell}`)).toThrow();
  const mounts = ofRelay("mountinfo")
    .trim()
    .split("\n")
    .map((line) => line.split(" "));
  const ofRoot = mounts.filter(([, , , , at]) => at === "/" || at === "/bin/deno" || at === "/proc");
  expect(ofRoot).toHaveLength(3);
  for (const [, , , , at, options] of ofRoot) expect([at, options?.split(",")[0]]).toEqual([at, "ro"]);
});

test("it lists, watches and triggers on a real API server", async () => {
  const widgets = widgetsOf(api, namespace);
  await widgets.create("a", { text: "one" });
  await eventually("the new object triggers", LIMIT_MS, () => triggers.some(({ name }) => name === "a"));
  triggers.length = 0;
  await widgets.patch("a", { text: "two" });
  await eventually("its change triggers", LIMIT_MS, () =>
    triggers.some(({ name, lane }) => name === "a" && lane === "live"),
  );
});

test("its gateway answers, and refuses an unsigned request", async () => {
  const answer = await fetch(`${gateway}/gateway/home/api/v1/namespaces`);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
  await answer.text();
});

test("it tells health and metrics", async () => {
  expect((await fetch(`${operations}/healthz`)).status).toBe(200);
  await expect.poll(async () => (await fetch(`${operations}/readyz`)).text(), { timeout: LIMIT_MS }).toBe("ok");
  expect(await (await fetch(`${operations}/metrics`)).text()).toMatch(/^process_resident_memory_bytes \d/m);
});

test("size and memory are printed", () => {
  const kiB = Math.round(statSync(bundle).size / 1024);
  const rss = Number(/^VmRSS:\s+(\d+)/m.exec(ofRelay("status"))?.[1]) / 1024;
  console.log(`image: bundle ${kiB} KiB, RSS idle ${rss.toFixed(1)} MiB`);
  expect(kiB).toBeLessThan(1_200);
  expect(rss).toBeLessThan(110);
});

test("SIGTERM ends it with code 0", async () => {
  expect(await relay.terminate()).toEqual({ code: 0, signal: null });
});
