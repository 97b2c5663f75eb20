import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crdOf } from "sluice";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Step } from "../../../functions/ports/index.ts";
import { applyCrd, newNamespace, sharedCluster } from "../support/cluster.ts";
import { freePorts } from "../support/free-ports.ts";
import { type ProcessUnderTest, spawnProcess } from "../support/process-under-test.ts";
import { LIMIT_MS, widgetsOf } from "./deployment.ts";
import { Widget } from "./widgets.ts";

const { api, kubeconfig } = sharedCluster();
const NAMES = ["a", "b", "c", "d", "e"];
const STEPS: Step[] = [
  "outbox filled, not delivered",
  "committed, not yet answered",
  "first write done",
  "run done, answer not stored",
];

let namespace: string;
let stateDir: string;
let port: number;
let alive: ProcessUnderTest[];

beforeAll(() => applyCrd(api, crdOf(Widget)));
beforeEach(async () => {
  namespace = await newNamespace(api);
  stateDir = mkdtempSync(join(tmpdir(), "sluice-kill-"));
  [port = 0] = await freePorts(1);
  alive = [];
});
afterEach(async () => {
  for (const process of alive) await process.kill9();
  for (const process of alive) expect(process.stdout.filter((line) => line.startsWith("overlap"))).toEqual([]);
  rmSync(stateDir, { recursive: true, force: true });
  await api.delete(`/api/v1/namespaces/${namespace}`);
});
afterAll(() => api.close());

type Part = "app" | "relay" | "app with its relay";

async function run(part: Part, hold: Step[] = []): Promise<ProcessUnderTest> {
  const [script, ...args] =
    part === "relay"
      ? ["relay.ts", `http://127.0.0.1:${port}`]
      : ["app.ts", ...(part === "app" ? ["apart", String(port)] : ["embedded"])];
  const process = spawnProcess({
    script: join(import.meta.dirname, script!),
    args,
    env: { KUBECONFIG: kubeconfig, STATE_DIR: stateDir },
    hold,
  });
  alive.push(process);
  if (hold.length === 0) await process.printed("ready", { timeoutMs: LIMIT_MS });
  return process;
}

const kubectl = () => widgetsOf(api, namespace);

async function create(): Promise<void> {
  for (const name of NAMES) await kubectl().create(name, { text: "one" });
}

/** Every object converges, and goes on doing so. */
async function converges(): Promise<void> {
  for (const name of NAMES) await kubectl().ready(name, "one");
  for (const name of NAMES) await kubectl().patch(name, { text: "two" });
  for (const name of NAMES) await kubectl().ready(name, "two");
  await kubectl().delete("a");
  await kubectl().gone("a");
}

describe("S3, R5 the whole process, killed at its worst moment, loses nothing", () => {
  test.each(STEPS)("at: %s", async (step) => {
    const app = await run("app with its relay", [step]);
    await create();
    await app.reached(step, { timeoutMs: LIMIT_MS });
    await app.kill9();
    await run("app with its relay");
    await converges();
  });
});

describe("S3, R5 of a relay and an app apart, either may be killed", () => {
  const rows = STEPS.flatMap((step) => (["app", "relay"] as const).map((victim) => ({ step, victim })));
  test.each(rows)("the $victim at: $step", async ({ step, victim }) => {
    const holder = step === "outbox filled, not delivered" ? "relay" : "app";
    const parts = {
      app: await run("app", holder === "app" ? [step] : []),
      relay: await run("relay", holder === "relay" ? [step] : []),
    };
    await create();
    await parts[holder].reached(step, { timeoutMs: LIMIT_MS });
    await parts[victim].kill9();
    if (victim !== holder) parts[holder].release(step);
    await run(victim);
    await converges();
  });
});

test("S2, S3 killed again and again while it works, it converges in the end", async () => {
  await create();
  for (let round = 1; round <= 5; round++) {
    const app = await run("app with its relay", [STEPS[round % STEPS.length]!]);
    await app.reached(STEPS[round % STEPS.length]!, { timeoutMs: LIMIT_MS });
    await app.kill9();
  }
  await run("app with its relay");
  await converges();
});

test("SIGTERM lets the running run finish, starts none, and ends with code 0", async () => {
  const app = await run("app with its relay", ["first write done"]);
  await create();
  await app.reached("first write done", { timeoutMs: LIMIT_MS });
  const ended = app.terminate();
  app.release("first write done");
  expect(await ended).toEqual({ code: 0, signal: null });
  await run("app with its relay");
  await converges();
});
