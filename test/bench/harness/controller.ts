import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { guardProcessGroup, releaseProcessGroup } from "../../cluster/support/process-guard.ts";
import type { Addresses } from "../slow-disk/documents-process.ts";
import { pause } from "./pause.ts";
import { type ProcessRow, processesOf } from "./process-table.ts";
import { round } from "./statistics.ts";

export type StopResult = {
  seconds: number;
  /** SIGKILL was needed after 20 s. */
  killed: boolean;
  /** Reconciles that it reported when it ended, of all its processes. */
  reconciles: number | null;
};

/** Shells and npm, which only start the controller, are no part of its memory. */
const isLauncher = ({ command }: ProcessRow) => /^(bash|sh|npm|timeout)\b/.test(command);

/** The command under test: every process of its session. */
export class Controller {
  readonly startedAt = performance.now();
  /** Seconds until it printed `ready`. */
  readySeconds: number | undefined;
  /** Resolves to whether it became ready before it ended. */
  readonly ready: Promise<boolean>;
  readonly exited: Promise<void>;
  readonly errors: string[] = [];
  exitCode: number | string | undefined;
  /** Where it answers, if it is the bench's own process. */
  addresses: Addresses | undefined;
  readonly #child: ChildProcess;
  readonly #leader: number;
  readonly #reports: { reconciles?: number }[] = [];
  /** CPU seconds when last seen, of processes that have ended, too. */
  readonly #cpu = new Map<string, number>();
  readonly #sampling: NodeJS.Timeout;
  #stopped: Promise<StopResult> | undefined;

  constructor(command: string, env: Record<string, string>) {
    this.#child = spawn("bash", ["-c", command], {
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env },
    });
    this.#leader = this.#child.pid ?? 0;
    guardProcessGroup(this.#leader);
    this.exited = new Promise((resolve) =>
      this.#child.once("exit", (code, signal) => {
        this.exitCode = code ?? signal ?? undefined;
        resolve();
      }),
    );
    this.ready = new Promise((resolve) => {
      this.#readOutput(() => resolve(true));
      this.#child.once("close", () => resolve(false));
    });
    this.#sampling = setInterval(() => this.scan(), 1000);
  }

  get alive(): boolean {
    return this.exitCode === undefined;
  }

  get ageSeconds(): number {
    return (performance.now() - this.startedAt) / 1000;
  }

  /** Its living processes. */
  scan(): ProcessRow[] {
    const rows = processesOf(this.#leader);
    for (const { pid, startedAt, cpuSeconds } of rows) this.#cpu.set(`${pid} ${startedAt}`, cpuSeconds);
    return rows.filter(({ zombie }) => !zombie);
  }

  cpuSeconds(): number {
    this.scan();
    return [...this.#cpu.values()].reduce((sum, seconds) => sum + seconds, 0);
  }

  rssMiB(): number {
    const measured = this.scan().filter((row) => !isLauncher(row));
    return round(measured.reduce((sum, { rssKiB }) => sum + rssKiB, 0) / 1024, 1);
  }

  /** SIGTERM to the whole group at once, SIGKILL for what is left after 20 s. */
  stop(): Promise<StopResult> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<StopResult> {
    const from = performance.now();
    this.cpuSeconds();
    this.#signal("SIGTERM");
    let killed = false;
    while (this.scan().length > 0) {
      if (!killed && performance.now() - from > 20_000) {
        killed = true;
        this.#signal("SIGKILL");
      }
      await pause(20);
    }
    const seconds = round((performance.now() - from) / 1000);
    await Promise.race([this.exited, pause(1000)]);
    await pause(50); // the last lines of its output
    clearInterval(this.#sampling);
    releaseProcessGroup(this.#leader);
    return {
      seconds,
      killed,
      reconciles: this.#reports.length > 0 ? this.#reports.reduce((sum, r) => sum + (r.reconciles ?? 0), 0) : null,
    };
  }

  #signal(name: NodeJS.Signals): void {
    for (const id of [-this.#leader, ...this.scan().map(({ pid }) => (name === "SIGKILL" ? pid : 0))])
      try {
        if (id !== 0) process.kill(id, name);
      } catch {
        // Gone meanwhile.
      }
  }

  #readOutput(onReady: () => void): void {
    const { stdout, stderr } = this.#child;
    if (!stdout || !stderr) return;
    createInterface({ input: stdout }).on("line", (line) => {
      if (line.trim() === "ready" && this.readySeconds === undefined) {
        this.readySeconds = this.ageSeconds;
        onReady();
      } else if (line.startsWith("{") && line.includes('"ingress"')) {
        this.addresses = JSON.parse(line) as Addresses;
      } else if (line.startsWith("{") && line.includes('"reconciles"')) {
        this.#reports.push(JSON.parse(line) as { reconciles?: number });
      }
    });
    createInterface({ input: stderr }).on("line", (line) => {
      this.errors.push(line.slice(0, 300));
      if (this.errors.length > 10) this.errors.shift();
    });
  }
}
