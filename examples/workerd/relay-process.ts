import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { ACCOUNT } from "./account.ts";
import { endWithUs } from "./end-with-us.ts";
import { signalApart, spawnApart } from "./process-apart.ts";

/** The command `sluice relay` as a process. */
export type RelayProcess = {
  /** Resolves when its gateway listens. @throws Error where it ends before. */
  listening: Promise<void>;
  /** Resolves when it has ended, whyever. */
  ended: Promise<void>;
  stop(): Promise<void>;
};

/** Longer than it takes to deliver, to save and to see runs end: 15 s at most. */
const STOP_LIMIT_MS = 16_000;

/** `sluice relay`, whose `ready` is ours. */
export function startRelay(options: {
  ingress: string;
  secret: string;
  gatewayPort: number;
  /** Whether the functions are there. Before, it is no news that they do not answer. */
  isServed: () => boolean;
}): RelayProcess {
  const main = join(import.meta.dirname, "../../infra/cli/main.ts");
  const gateway = ["--gateway-port", String(options.gatewayPort), "--service-account"];
  const account = `${ACCOUNT.namespace}/${ACCOUNT.name}`;
  const args = ["relay", "--cluster", "home", "--ingress", options.ingress, ...gateway, account];
  const relay = spawnApart(process.execPath, ["--conditions=sluice-source", main, ...args], {
    env: { ...process.env, SLUICE_SECRET: options.secret },
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
