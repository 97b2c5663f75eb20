import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { stoppedBySignal } from "../../adapters/runtime/node/signals.ts";
import type { DocumentsOptions } from "../documents/run.ts";
import { ACCOUNT } from "./account.ts";
import { endWithUs } from "./end-with-us.ts";
import type { Preparation } from "./prepare.ts";
import { bundlesOf, runApart, runWorker } from "./serve-worker.ts";

/** Longer than the relay takes to deliver what it holds. */
const STOP_LIMIT_MS = 8_000;

/**
 * The documents example as a Worker in workerd, with the relay and its gateway beside it: three processes, no one of which
 * but the relay has credentials of the cluster. Prints `ready` when the relay's watches are synced, ends on SIGTERM.
 */
export async function runDocumentsOnWorkerd({ ownWrites, concurrency }: DocumentsOptions): Promise<void> {
  const { STATE_DIR = ".state/documents", REPORT } = process.env;
  const report = { reconciles: 0, errors: 0 };
  const folder = resolve(STATE_DIR);
  const relayFile = join(folder, "relay.js");
  mkdirSync(folder, { recursive: true });
  const define = { OWN_WRITES: JSON.stringify(ownWrites), CONCURRENCY: String(concurrency) };
  const bundles = bundlesOf({ entry: "examples/documents/worker.ts", define, folder });
  await runApart("prepare.ts", { bundles, relay: relayFile } satisfies Preparation);

  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const port = await freePort();
  const worker = await runWorker(folder, {
    texts: { GATEWAY_URL: `http://127.0.0.1:${port}`, SLUICE_SECRET: secret },
    folder,
    onLine(line) {
      if (line.includes('"a document ran"')) report.reconciles++;
      else if (line.includes('"a document failed"')) report.errors++;
      else console.error(line);
    },
  });
  const relay = startRelay(relayFile, { url: worker.url, secret, port });
  let stopping = false;
  const stop = async () => {
    stopping = true;
    await stopRelay(relay);
    await worker.stop();
    if (REPORT === "1") console.log(JSON.stringify(report));
  };
  void Promise.race([exitOf(relay), worker.ended]).then(async () => {
    if (stopping) return;
    console.error("the relay or workerd ended by itself");
    await stop();
    process.exit(1);
  });
  await stoppedBySignal(stop);
}

/** Measured with 2,000 objects: two thirds of the memory, for a few percent more CPU. */
const SMALL_HEAP = { flags: ["--max-semi-space-size=4"], env: { MALLOC_ARENA_MAX: "1" } };

/** The relay as its image has it, set up by its environment alone. Its `ready` is ours. */
function startRelay(file: string, { url, secret, port }: { url: string; secret: string; port: number }): ChildProcess {
  const relay = spawn(process.execPath, [...SMALL_HEAP.flags, file], {
    env: {
      SLUICE_LOG_LEVEL: "warn",
      ...process.env,
      ...SMALL_HEAP.env,
      SLUICE_CLUSTER: "home",
      SLUICE_INGRESS: url,
      SLUICE_SECRET: secret,
      SLUICE_GATEWAY_PORT: String(port),
      SLUICE_SERVICE_ACCOUNT: `${ACCOUNT.namespace}/${ACCOUNT.name}`,
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
  endWithUs(relay);
  return relay;
}

const exitOf = (child: ChildProcess) => new Promise<void>((resolve) => child.once("close", () => resolve()));

async function stopRelay(relay: ChildProcess): Promise<void> {
  if (relay.exitCode !== null || relay.signalCode !== null) return;
  const exit = exitOf(relay);
  relay.kill("SIGTERM");
  const timer = setTimeout(() => relay.kill("SIGKILL"), STOP_LIMIT_MS);
  await exit;
  clearTimeout(timer);
}

/** The Worker is told of the gateway before the relay listens there. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
