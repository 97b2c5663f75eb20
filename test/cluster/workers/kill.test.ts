import { crdOf } from "sluice";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Step } from "../../../functions/ports/steps.ts";
import { LIMIT_MS, widgetsOf } from "../loop/deployment.ts";
import { Widget } from "../loop/widgets.ts";
import { applyCrd, newNamespace, sharedCluster } from "../support/cluster.ts";
import { openStepsServer, type StepsServer } from "./steps-server.ts";
import { Workers } from "./workers.ts";

const { api, kubeconfig } = sharedCluster();
const NAMES = ["a", "b", "c", "d", "e"];
/** A run that dies with workerd keeps its lease for this and 5 s more. */
const DEADLINE_MS = 2_000;
const WORKER_STEPS: Step[] = ["committed, not yet answered", "first write done", "run done, answer not stored"];
const RELAY_STEP: Step = "outbox filled, not delivered";

let namespace: string;
let steps: StepsServer;
let workers: Workers;

beforeAll(() => applyCrd(api, crdOf(Widget)));
beforeEach(async () => {
  namespace = await newNamespace(api);
  steps = await openStepsServer();
  workers = await Workers.prepare({ api, kubeconfig }, { deadlineMs: DEADLINE_MS, stepsUrl: steps.url });
});
afterEach(async () => {
  await workers.remove();
  steps.close();
  expect(workers.recorder.overlaps).toEqual([]);
  await api.delete(`/api/v1/namespaces/${namespace}`);
});
afterAll(() => api.close());

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

describe("S2, S3, S5 workerd, killed at its worst moment, loses nothing and runs no key twice at once", () => {
  test.each(WORKER_STEPS)("at: %s", async (step) => {
    await workers.startWorker();
    await workers.startRelay();
    steps.hold(step);
    await create();
    await steps.reached(step, LIMIT_MS);
    await workers.killWorker();
    steps.release();
    await workers.startWorker();
    await converges();
  });
});

describe("R5 the relay may be killed while the Worker stands anywhere, and its gateway with it", () => {
  test.each(WORKER_STEPS)("at: %s", async (step) => {
    await workers.startWorker();
    await workers.startRelay();
    steps.hold(step);
    await create();
    await steps.reached(step, LIMIT_MS);
    await workers.killRelay();
    steps.release();
    await workers.startRelay();
    await converges();
  });

  test.each(["relay", "workerd"] as const)("or itself: the %s at: outbox filled, not delivered", async (victim) => {
    await workers.startWorker();
    const relay = await workers.startRelay([RELAY_STEP]);
    await create();
    await relay.reached(RELAY_STEP, { timeoutMs: LIMIT_MS });
    if (victim === "relay") {
      await workers.killRelay();
      await workers.startRelay();
    } else {
      await workers.killWorker();
      relay.release(RELAY_STEP);
      await workers.startWorker();
    }
    await converges();
  });
});

test("S2, S3 both killed again and again while they work, everything converges in the end", async () => {
  await create();
  for (const step of WORKER_STEPS) {
    steps.hold(step);
    await workers.startWorker();
    await workers.startRelay();
    await steps.reached(step, LIMIT_MS);
    await Promise.all([workers.killWorker(), workers.killRelay()]);
    steps.release();
  }
  await workers.startWorker();
  await workers.startRelay();
  await converges();
});
