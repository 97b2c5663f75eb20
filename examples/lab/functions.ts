import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { LogLine } from "./journal.ts";
import { NotInTimeError, until } from "./until.ts";

/** The cluster's name in every key. */
export const CLUSTER = "lab";
export const SETTINGS_VARIABLE = "SLUICE_LAB_SETTINGS";

export type Settings = {
  folder: string;
  namespace: string;
  kubeconfig: string;
  /** What the relay signs with. */
  secret: string;
  debounceMs: number;
};

/** What travels between the lab and the process. */
export type Question = { id: number; name: string };
export type Tidings = { url: string } | { id: number; entry?: Entry };

/** What the scheduler holds of a key. */
export type Entry = { dueInMs: number | null; running: boolean; attempt: number; backoffInMs: number | null };

/** The process of the functions and their scheduler. */
export interface Functions {
  /** Where its ingress listens; empty before it was started. */
  readonly url: string;
  start(options?: { debounceMs: number }): Promise<void>;
  /** SIGTERM, as a rollout sends it. */
  stop(): Promise<void>;
  /** `kill -9`; resolves when it is dead. */
  kill(): Promise<void>;
  /** What the scheduler holds of a Site, undefined for nothing. */
  entry(name: string): Promise<Entry | undefined>;
}

/** How long it may take to end before it is killed. */
const STOP_LIMIT_MS = 5_000;
/** Where the machine is busy, Node takes its time to load. */
const START_LIMIT_MS = 20_000;

export function createFunctions(options: {
  settings: Omit<Settings, "debounceMs">;
  onLine: (line: LogLine) => void;
}): Functions {
  let child: ChildProcess | undefined;
  let exited: Promise<void> = Promise.resolve();
  let url = "";
  let questions = 0;
  const answers = new Map<number, Entry | undefined>();
  const lastLines: string[] = [];

  function onMessage(message: Tidings): void {
    if ("url" in message) url = message.url;
    else answers.set(message.id, message.entry);
  }

  function onStderr(text: string): void {
    if (lastLines.push(text) > 20) lastLines.shift();
    try {
      options.onLine(JSON.parse(text) as LogLine);
    } catch (error) {
      // What Node itself has to say, as that a module cannot be loaded.
      if (!(error instanceof SyntaxError)) throw error;
    }
  }

  function spawned(debounceMs: number): ChildProcess {
    const settings: Settings = { ...options.settings, debounceMs };
    const script = join(import.meta.dirname, "functions-process.ts");
    const next = spawn(process.execPath, [...process.execArgv, script], {
      env: { ...process.env, [SETTINGS_VARIABLE]: JSON.stringify(settings) },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      // Out of the terminal's reach: on Ctrl-C it is still needed to clean up.
      detached: true,
    });
    next.on("message", onMessage);
    createInterface({ input: next.stderr! }).on("line", onStderr);
    return next;
  }

  const kill = async () => {
    child?.kill("SIGKILL");
    await exited;
  };
  process.once("exit", () => child?.kill("SIGKILL"));

  return {
    get url() {
      return url;
    },
    async start({ debounceMs } = { debounceMs: 0 }) {
      url = "";
      const next = spawned(debounceMs);
      child = next;
      // "close" comes after the last of its output, "exit" may come before.
      exited = new Promise((resolve) => next.once("close", () => resolve()));
      const ready = () => {
        if (next.exitCode !== null || next.signalCode !== null)
          throw new Error(`the functions did not start: ${lastLines.join("\n")}`);
        return url !== "";
      };
      await until("the functions listen", ready, { limitMs: START_LIMIT_MS });
    },
    async stop() {
      child?.kill("SIGTERM");
      const timer = setTimeout(() => child?.kill("SIGKILL"), STOP_LIMIT_MS);
      await exited;
      clearTimeout(timer);
    },
    kill,
    async entry(name) {
      const id = ++questions;
      if (!child?.connected) throw new NotInTimeError("the functions are not running");
      child.send({ id, name } satisfies Question);
      await until("the scheduler's word", () => answers.has(id));
      const entry = answers.get(id);
      answers.delete(id);
      return entry;
    },
  };
}
