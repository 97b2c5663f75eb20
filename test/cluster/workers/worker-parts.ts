import { join } from "node:path";
import type { Step } from "../../../functions/ports/index.ts";
import { LIMIT_MS } from "../loop/deployment.ts";
import type { Part, Parts } from "../loop/kill.case.ts";
import type { KubeApi } from "../support/kube-api.ts";
import { type ProcessUnderTest, spawnProcess } from "../support/process-under-test.ts";
import type { StepsServer } from "./steps-server.ts";
import { WorkerUnderTest } from "./worker-under-test.ts";

/** A run that dies with workerd keeps its lease for this and 5 s more. */
const DEADLINE_MS = 2_000;

/** The Worker in workerd and the relay with its gateway beside it. */
export class WorkerParts implements Parts {
  readonly #kubeconfig: string;
  readonly #steps: StepsServer;
  readonly #worker: WorkerUnderTest;
  #relay: ProcessUnderTest | undefined;
  #relayHeldAt: Step | undefined;

  static async prepare(cluster: { api: KubeApi; kubeconfig: string }, steps: StepsServer): Promise<WorkerParts> {
    const worker = await WorkerUnderTest.prepare(cluster.api, { deadlineMs: DEADLINE_MS, stepsUrl: steps.url });
    return new WorkerParts(cluster.kubeconfig, steps, worker);
  }

  private constructor(kubeconfig: string, steps: StepsServer, worker: WorkerUnderTest) {
    this.#kubeconfig = kubeconfig;
    this.#steps = steps;
    this.#worker = worker;
  }

  async start(part: Part, hold?: Step): Promise<void> {
    if (part === "relay") return this.#startRelay(hold);
    if (hold !== undefined) this.#steps.hold(hold);
    await this.#worker.start();
  }

  async reached(step: Step): Promise<void> {
    if (step === this.#relayHeldAt) await this.#relay!.reached(step, { timeoutMs: LIMIT_MS });
    else await this.#steps.reached(step, LIMIT_MS);
  }

  release(step: Step): void {
    if (step === this.#relayHeldAt) this.#relay!.release(step);
    else this.#steps.release();
  }

  async kill(part: Part): Promise<void> {
    if (part === "relay") return this.#relay!.kill9().then(() => {});
    await this.#worker.kill();
    this.#steps.release();
  }

  async remove(): Promise<void> {
    await this.#relay?.kill9();
    await this.#worker.remove();
    this.#steps.release();
  }

  overlaps(): readonly string[] {
    return this.#worker.recorder.overlaps;
  }

  async #startRelay(hold: Step | undefined): Promise<void> {
    const { url, gateway } = this.#worker;
    this.#relayHeldAt = hold;
    this.#relay = spawnProcess({
      script: join(import.meta.dirname, "../loop/relay.ts"),
      args: [url, JSON.stringify(gateway)],
      env: { KUBECONFIG: this.#kubeconfig },
      hold: hold === undefined ? [] : [hold],
    });
    if (hold === undefined) await this.#relay.printed("ready", { timeoutMs: LIMIT_MS });
  }
}
