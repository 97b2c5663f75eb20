import { type RequestSummary, summarize } from "./audit-log.ts";
import { Controller, type StopResult } from "./controller.ts";
import { documentNames } from "./documents.ts";
import { MeasuredPlane } from "./measured-plane.ts";
import { pause } from "./pause.ts";
import { round } from "./statistics.ts";
import type { End } from "./world.ts";

export type SessionOptions = {
  /** Folder of the control plane's binaries. */
  bin: string;
  /** The controller, run by bash. */
  command: string;
  count: number;
  changes: number;
  concurrency: number;
  /** What the controller gets beside its kubeconfig and its folder. */
  env?: Readonly<Record<string, string>>;
  /** How old the controller has to be before its latency is measured, in milliseconds. Default 0. */
  matureMs?: number;
  /** Most invocations after a restart with nothing changed; any number where absent. */
  restartInvocations?: number;
};

/** What every scenario tells. */
export type Measured = {
  ok: boolean;
  seconds: number;
  missing?: string;
  requests: RequestSummary;
  cpuSeconds: Record<string, number>;
  /** Whether the controller came to rest within 30 s. */
  quiet: boolean;
  /** Events of Documents and ConfigMaps. */
  events: number;
  watchBreaks: number;
};

/** One command under test, with the control plane and the controller that its scenarios share. */
export class Session {
  readonly options: SessionOptions;
  readonly names: readonly string[];
  #plane: MeasuredPlane | undefined;
  #controller: Controller | undefined;
  #startedAt = 0;

  constructor(options: SessionOptions) {
    this.options = options;
    this.names = documentNames(options.count);
  }

  get plane(): MeasuredPlane {
    if (!this.#plane) throw new Error("no control plane was started");
    return this.#plane;
  }

  get controller(): Controller {
    if (!this.#controller) throw new Error("no controller was started");
    return this.#controller;
  }

  /** A new control plane with all Documents and no controller. */
  async fill(): Promise<void> {
    await this.stop();
    this.#plane = await MeasuredPlane.start(this.options.bin);
    await this.plane.world.create(this.names);
    await pause(2000); // until etcd, API server and garbage collector are at rest
  }

  startController(): Controller {
    const concurrency = String(this.options.concurrency);
    const env = { ...this.options.env, ...this.plane.environment(), CONCURRENCY: concurrency, REPORT: "1" };
    this.#controller = new Controller(this.options.command, env);
    this.#startedAt = performance.now();
    return this.#controller;
  }

  async stopController(): Promise<StopResult> {
    const result = await this.controller.stop();
    this.#controller = undefined;
    return result;
  }

  /** A running controller that has brought all Documents to rest. */
  async steady(): Promise<void> {
    if (!this.#plane) await this.fill();
    if (!this.#controller?.alive) this.startController();
    const end = await this.plane.world.converged(this.controller);
    if (!end.ok) throw new Error(`no steady state: ${end.missing}`);
    await this.plane.audit.quiet();
  }

  /** Waits until the controller is as old as most are. */
  async mature(): Promise<void> {
    await pause(Math.max(0, this.#startedAt + (this.options.matureMs ?? 0) - performance.now()));
  }

  /** Measures what `work` brings about, until the controller is at rest again. */
  async measure(objects: number, work: (startedAt: number) => Promise<End>): Promise<Measured> {
    const { audit, world } = this.plane;
    const [mark, events, breaks, cpu] = [audit.mark(), world.events, world.watchBreaks, this.cpuSeconds()];
    const startedAt = performance.now();
    const end = await work(startedAt);
    const cpuAfter = this.cpuSeconds();
    const quiet = await audit.quiet();
    return {
      ok: end.ok,
      seconds: round((end.at - startedAt) / 1000, 3),
      ...(end.missing ? { missing: end.missing } : {}),
      requests: summarize(audit.since(mark), objects),
      cpuSeconds: difference(cpu, cpuAfter),
      quiet,
      events: world.events - events,
      watchBreaks: world.watchBreaks - breaks,
    };
  }

  /** Of each part since it started. */
  cpuSeconds(): Record<string, number> {
    return { controller: this.#controller?.cpuSeconds() ?? 0, ...this.plane.cpuSeconds() };
  }

  /** The last lines that the controller wrote to stderr. */
  lastErrors(): readonly string[] {
    return this.#controller?.errors ?? [];
  }

  async stop(): Promise<void> {
    await this.#controller?.stop();
    this.#controller = undefined;
    await this.#plane?.stop();
    this.#plane = undefined;
  }
}

function difference(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([part, now]) => [part, round(now - (before[part] ?? 0))]));
}
