import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalWorker, serveWorker } from "../../../examples/workerd/serve-worker.ts";
import { controllerManifestOf } from "../../../functions/controller/manifest.ts";
import type { Step } from "../../../functions/ports/steps.ts";
import { type Account, allowEverywhere, createAccount } from "../gateway/accounts.ts";
import { LIMIT_MS, SECRET } from "../loop/deployment.ts";
import { newRecorder, type Recorder, widgetsController } from "../loop/widgets.ts";
import { newNamespace } from "../support/cluster.ts";
import { freePorts } from "../support/free-ports.ts";
import type { KubeApi } from "../support/kube-api.ts";
import { guardFolder } from "../support/process-guard.ts";
import { type ProcessUnderTest, spawnProcess } from "../support/process-under-test.ts";

export type WorkersOptions = {
  /** Of a run. */
  deadlineMs?: number;
  /** Where the Worker tells its steps. */
  stepsUrl?: string;
};

/** A Worker in workerd and the relay with its gateway beside it, each to be killed and started again. */
export class Workers {
  /** What the Worker's log told. */
  readonly recorder: Recorder = newRecorder();
  readonly #kubeconfig: string;
  readonly #account: Account;
  readonly #options: WorkersOptions;
  readonly #folder = mkdtempSync(join(tmpdir(), "sluice-workers-"));
  readonly #ports: { ingress: number; gateway: number };
  #worker: LocalWorker | undefined;
  #relay: ProcessUnderTest | undefined;

  /** The functions' account may do what the controller declares, and nothing else. Nothing runs yet. */
  static async prepare(
    { api, kubeconfig }: { api: KubeApi; kubeconfig: string },
    options: WorkersOptions = {},
  ): Promise<Workers> {
    const account = await createAccount(api, { namespace: await newNamespace(api), name: "functions" });
    await allowEverywhere(api, account, controllerManifestOf(widgetsController(newRecorder())).rbac);
    const [ingress = 0, gateway = 0] = await freePorts(2);
    return new Workers(kubeconfig, account, { ingress, gateway }, options);
  }

  private constructor(
    kubeconfig: string,
    account: Account,
    ports: { ingress: number; gateway: number },
    options: WorkersOptions,
  ) {
    this.#kubeconfig = kubeconfig;
    this.#account = account;
    this.#ports = ports;
    this.#options = options;
    guardFolder(this.#folder);
  }

  async startWorker(): Promise<void> {
    const { deadlineMs = 10_000, stepsUrl = "" } = this.#options;
    this.#worker = await serveWorker({
      entry: "test/cluster/workers/worker.ts",
      define: { DEADLINE_MS: String(deadlineMs), STEPS_URL: JSON.stringify(stepsUrl) },
      texts: { GATEWAY_URL: `http://127.0.0.1:${this.#ports.gateway}`, SLUICE_SECRET: SECRET },
      folder: this.#folder,
      port: this.#ports.ingress,
      onLine: (line) => this.#read(line),
    });
  }

  /** @param hold where it is to be held; else it is waited for until its watches are synced. */
  async startRelay(hold: Step[] = []): Promise<ProcessUnderTest> {
    const { namespace, name } = this.#account;
    const relay = spawnProcess({
      script: join(import.meta.dirname, "relay.ts"),
      args: [`http://127.0.0.1:${this.#ports.ingress}`, String(this.#ports.gateway), namespace, name],
      env: { KUBECONFIG: this.#kubeconfig },
      hold,
    });
    this.#relay = relay;
    if (hold.length === 0) await relay.printed("ready", { timeoutMs: LIMIT_MS });
    return relay;
  }

  async killWorker(): Promise<void> {
    if (!this.#worker) return;
    process.kill(this.#worker.pid, "SIGKILL");
    await this.#worker.ended;
    this.#worker = undefined;
  }

  async killRelay(): Promise<void> {
    await this.#relay?.kill9();
    this.#relay = undefined;
  }

  /** Kills both, and removes what they left. */
  async remove(): Promise<void> {
    await this.killRelay();
    await this.killWorker();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #read(line: string): void {
    const told = parse(line) as { run?: Recorder["runs"][number]; overlap?: string };
    if (told.run) this.recorder.runs.push(told.run);
    else if (told.overlap) this.recorder.overlaps.push(told.overlap);
    else console.error(line);
  }
}

function parse(line: string): object {
  try {
    return JSON.parse(line) as object;
  } catch {
    return {};
  }
}
