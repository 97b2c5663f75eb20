import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleWorker, type LocalWorker, runWorker } from "../../../examples/workerd/serve-worker.ts";
import { keyOf, type ObjectRef } from "../../../functions/contract/index.ts";
import { type Deployment, type FailureRecord, type GatewayDoor, type Held, SECRET } from "../loop/deployment.ts";
import { type GatewayAccess, gatewayAccess } from "../loop/gateway-access.ts";
import { newRecorder, type Recorder } from "../loop/widgets.ts";
import type { KubeApi } from "../support/kube-api.ts";
import { guardFolder } from "../support/process-guard.ts";
import { readObjects } from "./object-files.ts";

export type WorkerOptions = {
  /** Of a run. */
  deadlineMs?: number;
  /** Where the Worker tells its steps. */
  stepsUrl?: string;
};

/** The functions as a Worker in workerd, to be killed and started again. Their way to the API server is the gateway. */
export class WorkerUnderTest implements Deployment {
  /** What the Worker's log told. */
  readonly recorder: Recorder = newRecorder();
  readonly #access: GatewayAccess;
  readonly #code: string;
  readonly #folder = newFolder();
  #worker: LocalWorker | undefined;

  /** Nothing runs yet. */
  static async prepare(api: KubeApi, { deadlineMs = 10_000, stepsUrl = "" }: WorkerOptions = {}) {
    const define = { DEADLINE_MS: String(deadlineMs), STEPS_URL: JSON.stringify(stepsUrl) };
    const [access, code] = await Promise.all([gatewayAccess(api), bundled(define)]);
    return new WorkerUnderTest(access, code);
  }

  private constructor(access: GatewayAccess, code: string) {
    this.#access = access;
    this.#code = code;
  }

  get url(): string {
    return this.#access.ingressUrl;
  }

  get gateway(): GatewayDoor {
    return this.#access.door;
  }

  async start(): Promise<void> {
    this.#worker = await runWorker(this.#code, {
      texts: { GATEWAY_URL: this.#access.gatewayUrl, SLUICE_SECRET: SECRET },
      folder: this.#folder,
      port: this.#access.ingressPort,
      onLine: (line) => this.#read(line),
    });
  }

  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  /** By SIGTERM: it waits for no run. */
  terminate(): Promise<void> {
    return this.#end("SIGTERM");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (!this.#worker) return;
    process.kill(this.#worker.pid, signal);
    await this.#worker.ended;
    this.#worker = undefined;
  }

  held(key: ObjectRef): Held | undefined {
    const [entry] = this.#rows("sluice-scheduler", "entry", key) as {
      attempt: number;
      overBudgetUntil: number | null;
    }[];
    return entry && { attempt: entry.attempt, overBudget: (entry.overBudgetUntil ?? 0) > Date.now() };
  }

  async recordOf(key: ObjectRef): Promise<FailureRecord | undefined> {
    return this.#rows("sluice-kv", "value", key)[0] as FailureRecord | undefined;
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #rows(objects: string, column: "entry" | "value", key: ObjectRef): unknown[] {
    const texts = readObjects(
      join(this.#folder, "objects", objects),
      `SELECT ${column} FROM entry WHERE key = ?`,
      keyOf(key),
    );
    return texts.map((text) => JSON.parse(text));
  }

  #read(line: string): void {
    const told = parse(line) as { run?: Recorder["runs"][number]; overlap?: string };
    if (told.run) this.recorder.runs.push(told.run);
    else if (told.overlap) this.recorder.overlaps.push(told.overlap);
    else console.error(line);
  }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sluice-workers-"));
  guardFolder(folder);
  return folder;
}

const bundles = new Map<string, Promise<string>>();

/** The folder of the Worker's code, which takes seconds to make: once a file of tests. */
function bundled(define: Record<string, string>): Promise<string> {
  const id = JSON.stringify(define);
  const folder = newFolder();
  const code =
    bundles.get(id) ?? bundleWorker({ entry: "test/cluster/workers/worker.ts", define, folder }).then(() => folder);
  bundles.set(id, code);
  return code;
}

function parse(line: string): object {
  try {
    return JSON.parse(line) as object;
  } catch {
    return {};
  }
}
