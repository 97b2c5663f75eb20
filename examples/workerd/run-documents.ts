import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { firstSignal, stoppedBySignal } from "../../adapters/runtime/node/signals.ts";
import type { DocumentsOptions } from "../documents/run.ts";
import { lockFolder } from "./lock-folder.ts";
import type { Preparation } from "./prepare.ts";
import { type RelayProcess, startRelay } from "./relay-process.ts";
import { bundlesOf, type LocalWorker, runApart, runWorker } from "./serve-worker.ts";

/**
 * The documents example as a Worker in workerd, with the relay and its gateway beside it: three processes, no one of which
 * but the relay has credentials of the cluster. Prints `ready` when the relay's watches are synced, ends on SIGTERM.
 * @throws Error where another process works in STATE_DIR, or the cluster refuses.
 */
export async function runDocumentsOnWorkerd({ ownWrites, concurrency }: DocumentsOptions): Promise<void> {
  const { STATE_DIR = ".state/documents", REPORT } = process.env;
  const report = { reconciles: 0, errors: 0 };
  const folder = resolve(STATE_DIR);
  const lock = lockFolder(folder);
  const relayFile = join(folder, "relay.js");
  const define = { OWN_WRITES: JSON.stringify(ownWrites), CONCURRENCY: String(concurrency) };
  const bundles = bundlesOf({ entry: "examples/documents/worker.ts", define, folder });
  await runApart("prepare.ts", { bundles, relay: relayFile } satisfies Preparation);

  const signal = firstSignal();
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const [port, gatewayPort] = await Promise.all([freePort(), freePort()]);
  // Runs that are due begin with workerd, and need the gateway.
  let worker: LocalWorker | undefined;
  const ingress = `http://127.0.0.1:${port}`;
  const relay = startRelay(relayFile, { ingress, secret, gatewayPort, isServed: () => worker !== undefined });
  await relay.listening;
  const start = () =>
    runWorker(folder, {
      ...{ folder, port, apart: true },
      texts: { GATEWAY_URL: `http://127.0.0.1:${gatewayPort}`, SLUICE_SECRET: secret },
      onLine(line) {
        if (line.includes('"a document ran"')) report.reconciles++;
        else if (line.includes('"a document failed"')) report.errors++;
        else console.error(line);
      },
    });
  const first = await start();
  worker = first;
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= stopBoth(relay, first, start).then(() => {
      lock.release();
      if (REPORT === "1") console.log(JSON.stringify(report));
    });
    return stopped;
  };
  void Promise.race([relay.ended, first.ended]).then(async () => {
    if (stopped) return;
    console.error("the relay or workerd ended by itself");
    await stop();
    process.exit(1);
  });
  await stoppedBySignal(stop, signal);
}

/** The relay goes first, since it saves what it knows through the Worker: one that ends meanwhile is started again for that. */
async function stopBoth(relay: RelayProcess, first: LocalWorker, start: () => Promise<LocalWorker>): Promise<void> {
  let worker: LocalWorker | undefined = first;
  let relayEnded = false;
  const saved = relay.stop().then(() => {
    relayEnded = true;
  });
  while (worker && !relayEnded) {
    await Promise.race([worker.ended, saved]);
    if (!relayEnded) worker = await start().catch(() => undefined);
  }
  await saved;
  await worker?.stop();
}

/** The relay is told of the Worker, and the Worker of the gateway, before they listen there. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
