import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { ACCOUNT } from "./account.ts";
import { endWithUs } from "./end-with-us.ts";
import { signalApart, spawnApart } from "./process-apart.ts";

/** The relay as its image has it, in a process. */
export type RelayProcess = {
  /** Resolves when its gateway listens. @throws Error where it ends before. */
  listening: Promise<void>;
  /** Resolves when it has ended, whyever. */
  ended: Promise<void>;
  stop(): Promise<void>;
};

/** Longer than it takes to deliver, to save and to see runs end: 15 s at most. */
const STOP_LIMIT_MS = 16_000;

/** Measured with 2,000 objects: two thirds of the memory, for a few percent more CPU. */
const SMALL_HEAP = { flags: ["--max-semi-space-size=4"], env: { MALLOC_ARENA_MAX: "1" } };

/** The relay of that file, set up by its environment alone. Its `ready` is ours. */
export function startRelay(
  file: string,
  options: {
    ingress: string;
    secret: string;
    gatewayPort: number;
    /** Whether the functions are there. Before, it is no news that they do not answer. */
    isServed: () => boolean;
  },
): RelayProcess {
  const relay = spawnApart(process.execPath, [...SMALL_HEAP.flags, file], {
    env: {
      ...process.env,
      ...SMALL_HEAP.env,
      SLUICE_LOG_LEVEL: "info",
      SLUICE_CLUSTER: "home",
      SLUICE_INGRESS: options.ingress,
      SLUICE_SECRET: options.secret,
      SLUICE_GATEWAY_PORT: String(options.gatewayPort),
      SLUICE_SERVICE_ACCOUNT: `${ACCOUNT.namespace}/${ACCOUNT.name}`,
    },
    stdio: ["ignore", "inherit", "pipe"],
  });
  endWithUs(relay);
  const ended = new Promise<void>((resolve) => relay.once("close", () => resolve()));
  const listening = new Promise<void>((resolve, reject) => {
    createInterface({ input: relay.stderr as Readable }).on("line", (line) => {
      if (line.includes('"the gateway listens"')) resolve();
      const isNews = options.isServed() || line.includes('"level":"error"');
      if (isNews && !line.includes('"level":"info"')) console.error(line);
    });
    void ended.then(() => reject(new Error("the relay ended before its gateway listened")));
  });
  return { listening, ended, stop: () => stop(relay, ended) };
}

async function stop(relay: ChildProcess, ended: Promise<void>): Promise<void> {
  signalApart(relay, "SIGTERM");
  const timer = setTimeout(() => signalApart(relay, "SIGKILL"), STOP_LIMIT_MS);
  await ended;
  clearTimeout(timer);
}
