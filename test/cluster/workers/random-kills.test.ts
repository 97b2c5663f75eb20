import { crdOf } from "sluice";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { readExposition } from "../../relay/support/exposition.ts";
import { LIMIT_MS, SECRET, widgetsOf } from "../loop/deployment.ts";
import { spawnRelay } from "../loop/spawn-relay.ts";
import { Widget } from "../loop/widgets.ts";
import { applyCrd, newNamespace, sharedCluster } from "../support/cluster.ts";
import type { ProcessUnderTest } from "../support/process-under-test.ts";
import { WorkerUnderTest } from "./worker-under-test.ts";

const { api, kubeconfig } = sharedCluster();
/** A run that was cut keeps its lease for this and 5 s more. */
const DEADLINE_MS = 2_000;
/** More than such a lease, less than the longest backoff of a relay. */
const CUT_MS = 20_000;
const ROUNDS = 6;

let namespace: string;
let worker: WorkerUnderTest;
let relay: ProcessUnderTest;

beforeAll(() => applyCrd(api, crdOf(Widget)));
beforeEach(async () => {
  namespace = await newNamespace(api);
  worker = await WorkerUnderTest.prepare(api, { deadlineMs: DEADLINE_MS });
  await startWorker();
  startRelay();
});
afterEach(async () => {
  await relay.kill9();
  await worker.remove();
  expect(worker.recorder.overlaps).toEqual([]);
  await api.delete(`/api/v1/namespaces/${namespace}`);
});
afterAll(() => api.close());

const kubectl = () => widgetsOf(api, namespace);
const startWorker = () => worker.start();

function startRelay(): void {
  const flags = ["--metrics-port", "0", "--bind", "127.0.0.1"];
  relay = spawnRelay({ kubeconfig, ingress: worker.url, gateway: worker.gateway, secret: SECRET, flags });
}

/** A line of dice that is the same each time. */
function* dice(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

test.each([1, 2])(
  "R5, S5 after kills at random and a SIGTERM of both, a change waits for cut runs at most (seed %i)",
  async (seed) => {
    const rolls = dice(seed);
    const roll = () => rolls.next().value;
    await kubectl().create("a", { text: "0" });
    await kubectl().ready("a", "0");
    for (let round = 1; round <= ROUNDS; round++) {
      const text = String(round);
      const victims = roll() < 0.4 ? ["worker"] : roll() < 0.6 ? ["relay"] : ["worker", "relay"];
      const before = roll() < 0.5;
      if (before) await kubectl().patch("a", { text });
      if (victims.includes("worker")) await worker.kill();
      if (victims.includes("relay")) await relay.kill9();
      if (!before) await kubectl().patch("a", { text });
      if (victims.includes("relay")) startRelay();
      if (victims.includes("worker")) await startWorker();
      await kubectl().ready("a", text, CUT_MS);
    }
    await Promise.all([worker.terminate(), relay.terminate()]);
    startRelay();
    await startWorker();
    await kubectl().patch("a", { text: "last" });
    await kubectl().ready("a", "last", CUT_MS);
  },
);

test("R5 functions that were away for long get what waits soon after they are back", async () => {
  const { url } = JSON.parse(await relay.complained(/metrics and health are served/, { timeoutMs: LIMIT_MS }));
  const failed = async (): Promise<number> => {
    const samples = readExposition(await (await fetch(`${url}/metrics`)).text());
    const of = ({ name, labels }: (typeof samples)[number]) =>
      name === "sluice_relay_deliveries_total" && labels.code === "error";
    return samples.find(of)?.value ?? 0;
  };
  await kubectl().create("a", { text: "one" });
  await kubectl().ready("a", "one");
  await worker.terminate();
  await kubectl().patch("a", { text: "two" });
  // From then on the delivery waits for 19 s at least.
  await expect.poll(failed, { timeout: 60_000 }).toBeGreaterThanOrEqual(8);
  await startWorker();
  await kubectl().ready("a", "two", 15_000);
});
