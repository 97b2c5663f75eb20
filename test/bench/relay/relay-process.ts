import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { guardProcessGroup, releaseProcessGroup } from "../../cluster/support/process-guard.ts";
import { readProcess } from "../harness/process-table.ts";
import { round } from "../harness/statistics.ts";

export type Memory = { rssMiB: number; peakMiB: number };

/** A program under measurement: one process, no children. */
export class MeasuredProcess {
  readonly startedAt = performance.now();
  readonly ready: Promise<number>;
  readonly exited: Promise<number | string>;
  readonly errors: string[] = [];
  readonly #child: ChildProcess;

  constructor(command: readonly string[], env: Record<string, string>) {
    const [file = "", ...args] = command;
    this.#child = spawn(file, args, { detached: true, stdio: ["ignore", "pipe", "pipe"], env });
    guardProcessGroup(this.pid);
    this.exited = new Promise((resolve) =>
      this.#child.once("close", (code, signal) => {
        releaseProcessGroup(this.pid);
        resolve(code ?? signal ?? "");
      }),
    );
    this.ready = new Promise((resolve, reject) => {
      createInterface({ input: this.#child.stdout! }).on("line", (line) => {
        if (line === "ready") resolve(performance.now() - this.startedAt);
      });
      createInterface({ input: this.#child.stderr! }).on("line", (line) => {
        this.errors.push(line.slice(0, 400));
        if (this.errors.length > 20) this.errors.shift();
      });
      void this.exited.then((code) => reject(new Error(`ended with ${code}: ${this.errors.join("\n")}`)));
    });
    this.ready.catch(() => {});
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  cpuSeconds(): number {
    return readProcess(this.pid)?.cpuSeconds ?? Number.NaN;
  }

  memory(): Memory {
    const status = readFileSync(`/proc/${this.pid}/status`, "utf8");
    const of = (field: string) => round(Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1024, 1);
    return { rssMiB: of("VmRSS"), peakMiB: of("VmHWM") };
  }

  async stop(): Promise<number | string> {
    this.#child.kill("SIGTERM");
    return this.exited;
  }
}
