import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { guardProcessGroup, releaseProcessGroup } from "../../cluster/support/process-guard.ts";
import { pause } from "../harness/pause.ts";
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
  readonly #lines: string[] = [];

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
        this.#lines.push(line);
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

  /** How many lines of its log say so. */
  said(what: RegExp): number {
    return this.#lines.filter((line) => what.test(line)).length;
  }

  /** The peak counts anew from here. */
  resetPeak(): void {
    writeFileSync(`/proc/${this.pid}/clear_refs`, "5");
  }

  /** Resolves when it has used less of a core than `share` for so long. */
  async rest(quietMs = 4_000, share = 0.05): Promise<void> {
    for (let before = Number.NEGATIVE_INFINITY; this.cpuSeconds() - before > (share * quietMs) / 1_000; ) {
      before = this.cpuSeconds();
      await pause(quietMs);
    }
  }

  async stop(): Promise<number | string> {
    this.#child.kill("SIGTERM");
    return this.exited;
  }
}
