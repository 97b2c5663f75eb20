import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import type { Bundle } from "./bundle.ts";
import { configOf } from "./config.ts";
import { endWithUs } from "./end-with-us.ts";
import { signalApart, spawnApart } from "./process-apart.ts";

export type WorkerCode = {
  /** The Worker's own file, from the project's root. */
  entry: string;
  define?: Record<string, string>;
  /** Where its modules go. */
  folder: string;
};

export type WorkerSettings = {
  texts: Record<string, string>;
  /** A folder that outlives a restart. */
  folder: string;
  /** Default: a free one. */
  port?: number;
  /** Opens the inspector on a free port of loopback. */
  inspector?: boolean;
  /** In a process group of its own: signals to ours do not reach it. */
  apart?: boolean;
  /** Takes what the Worker and the runtime print. */
  onLine: (line: string) => void;
};

export type WorkerOptions = WorkerCode &
  WorkerSettings & {
    /** Called when the code is there and the runtime is about to start. */
    onBundled?: () => void;
  };

/** A Worker that runs. */
export type LocalWorker = {
  url: string;
  /** Of whatever leads its process group, where it has one of its own. */
  pid: number;
  /** Of the inspector, where it was asked for. */
  inspectorUrl?: string;
  /** Resolves when its process has ended, whyever. */
  ended: Promise<void>;
  stop(): Promise<void>;
};

/** What has not ended by itself is killed after this. */
const STOP_LIMIT_MS = 3_000;

/**
 * Bundles a Worker and runs it in workerd, the runtime that Cloudflare runs, with its objects and values in a folder.
 * @throws Error where it does not start.
 */
export async function serveWorker({ onBundled, ...options }: WorkerOptions): Promise<LocalWorker> {
  await bundleWorker(options);
  onBundled?.();
  return runWorker(options.folder, options);
}

/** Makes one module of the Worker and all that it imports, and one of what stands for Workers KV. */
export async function bundleWorker(code: WorkerCode): Promise<void> {
  mkdirSync(code.folder, { recursive: true });
  await runApart("bundle.ts", bundlesOf(code));
}

/** What {@link runWorker} runs. */
export function bundlesOf({ entry, folder, define }: WorkerCode): Bundle[] {
  return [
    { entry, folder, name: "worker.js", ...(define && { define }) },
    { entry: "examples/workerd/kv/worker.ts", folder, name: "kv.js" },
  ];
}

/**
 * Runs a script of this folder in a process of its own, whose memory goes with it.
 * @throws Error that says what the script does.
 */
export async function runApart(script: string, task: unknown): Promise<void> {
  const args = ["--conditions=sluice-source", join(import.meta.dirname, script), JSON.stringify(task)];
  await promisify(execFile)(process.execPath, args).catch((error: Error & { stderr?: string }) => {
    throw new Error(error.stderr?.trim() || error.message);
  });
}

/**
 * Runs what was bundled into the folder `code`.
 * @throws Error where it does not start.
 */
export async function runWorker(code: string, settings: WorkerSettings): Promise<LocalWorker> {
  const { folder, texts, port, inspector = false, apart = false, onLine } = settings;
  mkdirSync(join(folder, "objects"), { recursive: true });
  const config = join(folder, "workerd.capnp");
  const module = (name: string) => relative(folder, join(code, name));
  const paths = { script: module("worker.js"), kvScript: module("kv.js"), objectsFolder: join(folder, "objects") };
  writeFileSync(config, configOf({ ...paths, texts, ...(port !== undefined && { port }) }), { mode: 0o600 });
  const options = inspector ? ["--inspector-addr=127.0.0.1:0"] : [];
  const child = (apart ? spawnApart : spawn)(workerdPath(), ["serve", config, "--control-fd=3", ...options], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  endWithUs(child);
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream as Readable }).on("line", onLine);
  const end = (signal: NodeJS.Signals) => (apart ? signalApart(child, signal) : void child.kill(signal));
  const ports = await Promise.race([portsOf(child, inspector), ended.then(() => undefined)]);
  if (ports === undefined) throw new Error("workerd ended before it listened");
  return {
    ...{ url: `http://127.0.0.1:${ports.http}`, pid: child.pid ?? 0, ended, stop: () => stop(end, ended) },
    ...(inspector && { inspectorUrl: `http://127.0.0.1:${ports.inspector}` }),
  };
}

async function stop(end: (signal: NodeJS.Signals) => void, ended: Promise<void>): Promise<void> {
  end("SIGTERM");
  const timer = setTimeout(() => end("SIGKILL"), STOP_LIMIT_MS);
  await ended;
  clearTimeout(timer);
}

type Ports = { http?: number; inspector?: number };

/** It says on its third stream where it listens. */
function portsOf(child: ChildProcess, inspector: boolean): Promise<Ports> {
  const ports: Ports = {};
  return new Promise((resolve) => {
    createInterface({ input: child.stdio[3] as Readable }).on("line", (line) => {
      const { event, port } = JSON.parse(line) as { event: string; port: number };
      if (event === "listen") ports.http = port;
      if (event === "listen-inspector") ports.inspector = port;
      if (ports.http !== undefined && (ports.inspector !== undefined || !inspector)) resolve(ports);
    });
  });
}

/** It comes with wrangler. */
function workerdPath(): string {
  const ofWrangler = createRequire(createRequire(import.meta.url).resolve("wrangler/package.json"));
  return (ofWrangler("workerd") as { default: string }).default;
}
