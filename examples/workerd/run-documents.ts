import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { connectKube, credentialSource } from "../../adapters/runtime/node/kube-config/index.ts";
import { stoppedBySignal } from "../../adapters/runtime/node/signals.ts";
import type { DocumentsOptions } from "../documents/run.ts";
import { ACCOUNT, applyAccount } from "./account.ts";
import { endWithUs } from "./end-with-us.ts";
import { type LocalWorker, serveWorker } from "./serve-worker.ts";

/** Longer than the relay takes to deliver what it holds. */
const STOP_LIMIT_MS = 8_000;

/**
 * The documents example as a Worker in workerd, with the relay and its gateway beside it: three processes, no one of which
 * but the relay has credentials of the cluster. Prints `ready` when the relay's watches are synced, ends on SIGTERM.
 */
export async function runDocumentsOnWorkerd({ ownWrites, concurrency }: DocumentsOptions): Promise<void> {
  const { STATE_DIR = ".state/documents", REPORT } = process.env;
  const report = { reconciles: 0, errors: 0 };
  const transport = await connectKube(credentialSource(process.env));
  await applyAccount(transport);
  await transport.close();

  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const port = await freePort();
  const worker = await serveWorker({
    entry: "examples/documents/worker.ts",
    define: { OWN_WRITES: JSON.stringify(ownWrites), CONCURRENCY: String(concurrency) },
    texts: { GATEWAY_URL: `http://127.0.0.1:${port}`, SLUICE_SECRET: secret },
    folder: resolve(STATE_DIR),
    onLine(line) {
      if (line.includes('"a document ran"')) report.reconciles++;
      else if (line.includes('"a document failed"')) report.errors++;
      else console.error(line);
    },
  });
  const relay = startRelay(worker, { secret, port });
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

/** `sluice relay`, whose `ready` is ours. */
function startRelay(worker: LocalWorker, { secret, port }: { secret: string; port: number }): ChildProcess {
  const main = join(import.meta.dirname, "../../infra/cli/main.ts");
  const gateway = ["--gateway-port", String(port), "--service-account", `${ACCOUNT.namespace}/${ACCOUNT.name}`];
  const args = ["relay", "--cluster", "home", "--ingress", worker.url, ...gateway];
  const relay = spawn(process.execPath, ["--conditions=sluice-source", main, ...args], {
    env: { ...process.env, SLUICE_SECRET: secret },
    stdio: ["ignore", "inherit", "pipe"],
  });
  endWithUs(relay);
  createInterface({ input: relay.stderr }).on("line", (line) => {
    if (!line.includes('"level":"info"')) console.error(line);
  });
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
