import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crdOf } from "sluice";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { partName, sign } from "../../../functions/contract/index.ts";
import { readIndex, writeIndex } from "../../../infra/relay/checkpoint/index-text.ts";
import { applyCrd, newNamespace, sharedCluster } from "../support/cluster.ts";
import { consistently, eventually } from "../support/eventually.ts";
import { freePorts } from "../support/free-ports.ts";
import type { KubeObject } from "../support/kube-api.ts";
import { type ProcessUnderTest, spawnProcess } from "../support/process-under-test.ts";
import { SECRET, widgetsOf } from "./deployment.ts";
import { Widget } from "./widgets.ts";

const { api, kubeconfig } = sharedCluster();
const LIMIT_MS = 120_000;
/** How long nothing happens after what was to happen. */
const QUIET_MS = 4_000;
const NAMES = Array.from({ length: 40 }, (_, i) => `w${i}`);

let namespace: string;
let stateDir: string;
let port: number;
let app: ProcessUnderTest;
let relay: ProcessUnderTest;

beforeAll(() => applyCrd(api, crdOf(Widget)));
beforeEach(async () => {
  namespace = await newNamespace(api);
  stateDir = mkdtempSync(join(tmpdir(), "sluice-restart-"));
  [port = 0] = await freePorts(1);
  app = await run("app.ts", ["apart", String(port)]);
  relay = await run("relay.ts", [`http://127.0.0.1:${port}`]);
  for (const name of NAMES)
    await kubectl().create(name, { text: "one", ...(name === "w2" && { secretName: "token" }) });
  for (const name of NAMES) if (name !== "w2") await kubectl().ready(name, "one", LIMIT_MS);
}, 300_000);
afterEach(async () => {
  await relay.kill9();
  await app.kill9();
  rmSync(stateDir, { recursive: true, force: true });
  await api.delete(`/api/v1/namespaces/${namespace}`);
});
afterAll(() => api.close());

async function run(script: string, args: string[]): Promise<ProcessUnderTest> {
  const process = spawnProcess({
    script: join(import.meta.dirname, script),
    args,
    env: { KUBECONFIG: kubeconfig, STATE_DIR: stateDir },
  });
  await process.printed("ready", { timeoutMs: LIMIT_MS });
  return process;
}

const kubectl = () => widgetsOf(api, namespace);
const startRelay = async () => {
  relay = await run("relay.ts", [`http://127.0.0.1:${port}`]);
};

/** Waits until nothing runs, and forgets what ran. */
async function settled(): Promise<void> {
  let before = -1;
  await eventually("no more runs", LIMIT_MS, async () => {
    const runs = app.stdout.length;
    const same = runs === before;
    before = runs;
    await consistently("time passes", 1_000, () => true);
    return same;
  });
  app.stdout.length = 0;
}

/** The Widgets that ran: those of tests before may still be deleted. */
const ran = () => [
  ...new Set(app.stdout.flatMap((line) => (line.startsWith(`run ${namespace}/`) ? [line.split("/")[1]!] : []))),
];

/** Everything that runs within {@link QUIET_MS} after the last of these. */
async function runsOnly(names: string[]): Promise<void> {
  await eventually(`${names.join(", ")} run`, LIMIT_MS, () => names.every((name) => ran().includes(name)));
  await consistently("nothing else runs", QUIET_MS, () => ran().every((name) => names.includes(name)));
}

/** Each object's version: whatever writes changes one. */
async function versions(): Promise<string[]> {
  const { widgets, configMaps } = kubectl();
  const lists = (await Promise.all([api.get(widgets), api.get(configMaps)])) as unknown as { items: KubeObject[] }[];
  return lists.flatMap(({ items }) => items).map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`);
}

/** As if the API server had forgotten what was before: the cursors are older than it can tell. */
async function expireCursors(): Promise<void> {
  const text = await checkpointIndex("GET");
  const { state, holder, term, retired, parts } = readIndex(text);
  const watches = state!.watches.map((watch) => ({ ...watch, cursor: "1" }));
  const replaces = await partName(new TextEncoder().encode(text));
  const of = { holder, term, retired, parts: [...parts], cluster: "home", replaces };
  const old = writeIndex({ ...of, state: { ...state!, watches } });
  await checkpointIndex("PUT", new TextDecoder().decode(old));
}

async function checkpointIndex(method: string, text?: string): Promise<string> {
  const signature = await sign([SECRET], {
    id: crypto.randomUUID(),
    now: Date.now(),
    body: new TextEncoder().encode(text),
  });
  const answer = await fetch(`http://127.0.0.1:${port}/checkpoint/home/index`, {
    method,
    headers: { ...signature, "content-type": "application/json" },
    ...(text !== undefined && { body: text }),
  });
  expect(answer.status).toBe(200);
  return answer.text();
}

describe("R7 a relay that is restarted by SIGTERM", () => {
  test("with nothing changed causes no run and no write", async () => {
    await settled();
    const before = await versions();
    expect(await relay.terminate()).toEqual({ code: 0, signal: null });
    await startRelay();
    await runsOnly([]);
    expect(await versions()).toEqual(before);
  });

  test.each([
    ["goes on from its cursors", async () => {}],
    ["lists, since they are too old", expireCursors],
  ])("%s: what changed, appeared or vanished meanwhile runs, and nothing else", async (_, meanwhile) => {
    await settled();
    await relay.terminate();
    const { configMaps, secrets, ...person } = kubectl();
    await api.delete(`${configMaps}/w0`);
    await api.patch(`${configMaps}/w1`, { data: { text: "a stranger's" } });
    await api.create(secrets, { apiVersion: "v1", kind: "Secret", metadata: { name: "token" } });
    await person.patch("w3", { text: "two" });
    await person.delete("w4");
    await person.create("new", { text: "one" });
    await api.create(secrets, { apiVersion: "v1", kind: "Secret", metadata: { name: "unnamed" } });
    await meanwhile();
    await startRelay();
    await runsOnly(["w0", "w1", "w2", "w3", "w4", "new"]);
    for (const name of ["w0", "w1", "w2", "new"]) await person.ready(name, "one", LIMIT_MS);
    await person.ready("w3", "two", LIMIT_MS);
    await person.gone("w4");
  });
});

test("R7 kill -9 of the relay: only keys that changed since the last checkpoint run again", async () => {
  await settled();
  await relay.terminate();
  await startRelay();
  await kubectl().patch("w5", { text: "two" });
  await kubectl().ready("w5", "two", LIMIT_MS);
  await settled();
  await relay.kill9();
  await startRelay();
  await runsOnly(["w5"]);
});

test("R7 functions and relay in one process: a restart with nothing changed causes no run and no write", async () => {
  await settled();
  const before = await versions();
  await relay.terminate();
  await app.terminate();
  app = await run("app.ts", ["embedded"]);
  await runsOnly([]);
  expect(await versions()).toEqual(before);
  await app.kill9();
  app = await run("app.ts", ["embedded"]);
  await runsOnly([]);
});
