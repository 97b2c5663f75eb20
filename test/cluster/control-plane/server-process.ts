import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { guardProcessGroup, releaseProcessGroup } from "../support/process-guard.ts";

/** One server of the control plane: a process group of its own, its output in a file. */
export class ServerProcess {
  readonly #name: string;
  readonly #log: string;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;

  constructor(binary: string, args: readonly string[], options: { name: string; dir: string }) {
    this.#name = options.name;
    this.#log = `${options.dir}/${options.name}.log`;
    const log = openSync(this.#log, "a");
    this.#child = spawn(binary, args, { cwd: options.dir, detached: true, stdio: ["ignore", log, log] });
    closeSync(log);
    this.#exited = new Promise((resolve) => {
      this.#child.once("error", () => resolve());
      this.#child.once("exit", () => {
        releaseProcessGroup(this.pid);
        resolve();
      });
    });
    this.#child.unref();
    if (this.#child.pid !== undefined) guardProcessGroup(this.#child.pid);
  }

  get pid(): number {
    return this.#child.pid ?? Number.NaN;
  }

  get running(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** @throws with the end of its log when it is no longer there. */
  assertRunning(): void {
    if (this.running) return;
    const lastLines = readFileSync(this.#log, "utf8").trim().split("\n").slice(-3).join("\n");
    throw new Error(`${this.#name} ended: ${lastLines || "it could not be started"}`);
  }

  /** Asks it to end; after the limit it is killed. Resolves when it is gone. */
  async stop({ limitMs = 20_000 } = {}): Promise<void> {
    this.#signal("SIGTERM");
    const timer = setTimeout(() => this.#signal("SIGKILL"), limitMs);
    await this.#exited;
    clearTimeout(timer);
  }

  async kill(): Promise<void> {
    this.#signal("SIGKILL");
    await this.#exited;
  }

  /** Does something while the process stands still. */
  paused(work: () => void): void {
    this.#child.kill("SIGSTOP");
    try {
      work();
    } finally {
      this.#child.kill("SIGCONT");
    }
  }

  #signal(signal: NodeJS.Signals): void {
    // Node forgets the id once the child was reaped, so this never reaches a stranger.
    this.#child.ref();
    this.#child.kill(signal);
  }
}
