import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Step } from "../../../functions/ports/index.ts";
import { freePorts } from "../support/free-ports.ts";
import { guardFolder } from "../support/process-guard.ts";
import { type ProcessUnderTest, spawnProcess } from "../support/process-under-test.ts";
import { LIMIT_MS } from "./deployment.ts";
import type { Part, Parts } from "./kill.case.ts";

/** The functions on Node with the relay inside, or apart from it. */
export class NodeParts implements Parts {
  readonly #kubeconfig: string;
  readonly #port: number;
  readonly #stateDir = mkdtempSync(join(tmpdir(), "sluice-kill-"));
  readonly #all: ProcessUnderTest[] = [];
  readonly #alive = new Map<Part, ProcessUnderTest>();
  readonly #holders = new Map<Step, ProcessUnderTest>();

  static async prepare(kubeconfig: string): Promise<NodeParts> {
    const [port = 0] = await freePorts(1);
    return new NodeParts(kubeconfig, port);
  }

  private constructor(kubeconfig: string, port: number) {
    this.#kubeconfig = kubeconfig;
    this.#port = port;
    guardFolder(this.#stateDir);
  }

  /** The functions with their relay inside, as one process. */
  startWhole(hold?: Step): Promise<ProcessUnderTest> {
    return this.#spawn(["app.ts", "embedded"], hold);
  }

  async start(part: Part, hold?: Step): Promise<void> {
    const script =
      part === "relay" ? ["relay.ts", `http://127.0.0.1:${this.#port}`] : ["app.ts", "apart", `${this.#port}`];
    this.#alive.set(part, await this.#spawn(script, hold));
  }

  async reached(step: Step): Promise<void> {
    await this.#holders.get(step)!.reached(step, { timeoutMs: LIMIT_MS });
  }

  release(step: Step): void {
    this.#holders.get(step)!.release(step);
  }

  async kill(part: Part): Promise<void> {
    await this.#alive.get(part)!.kill9();
  }

  async remove(): Promise<void> {
    for (const process of this.#all) await process.kill9();
    rmSync(this.#stateDir, { recursive: true, force: true });
  }

  overlaps(): readonly string[] {
    return this.#all.flatMap(({ stdout }) => stdout.filter((line) => line.startsWith("overlap")));
  }

  async #spawn([script = "", ...args]: string[], hold: Step | undefined): Promise<ProcessUnderTest> {
    const env = { KUBECONFIG: this.#kubeconfig, STATE_DIR: this.#stateDir };
    const holds = hold === undefined ? [] : [hold];
    const process = spawnProcess({ script: join(import.meta.dirname, script), args, env, hold: holds });
    this.#all.push(process);
    if (hold === undefined) await process.printed("ready", { timeoutMs: LIMIT_MS });
    else this.#holders.set(hold, process);
    return process;
  }
}
