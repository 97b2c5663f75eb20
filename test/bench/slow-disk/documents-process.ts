/**
 * The documents example as a process that can be looked into while it is measured: its ingress listens, and `GET /loop-delay`
 * at a second address answers with how long its event loop was late since it was last asked. Both addresses are one line of
 * JSON on stdout; all else is as in the example.
 * @module
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { serve } from "sluice/node";
import { documentsController } from "../../../examples/documents/controller.ts";
import { round } from "../harness/statistics.ts";

/** Where the process answers. */
export type Addresses = { ingress: string; loopDelay: string };

/** Milliseconds that a turn of the event loop was late. */
export type LoopDelay = { p50: number; p99: number; max: number };

const RESOLUTION_MS = 1;
const { CONCURRENCY = "16", KUBECONFIG, STATE_DIR = "" } = process.env;
const report = { reconciles: 0, errors: 0 };
const reporter = {
  ran: () => {
    report.reconciles++;
  },
  failed: () => {
    report.errors++;
  },
};

const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();
const probe = createServer((_, answer) => {
  const at = (percentile: number) => round(delays.percentile(percentile) / 1e6 - RESOLUTION_MS);
  const delay: LoopDelay = { p50: at(50), p99: at(99), max: at(100) };
  delays.reset();
  answer.end(JSON.stringify(delay));
});
await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));

const running = await serve({
  controllers: [documentsController({ ownWrites: "ignore", concurrency: Number(CONCURRENCY), reporter })],
  clusters: () => [{ name: "home", ...(KUBECONFIG !== undefined && { kubeconfig: KUBECONFIG }) }],
  stateDir: STATE_DIR,
  listen: { port: 0, host: "127.0.0.1" },
  logLevel: "error",
});
const addresses: Addresses = {
  ingress: running.url ?? "",
  loopDelay: `http://127.0.0.1:${(probe.address() as AddressInfo).port}/loop-delay`,
};
console.log(JSON.stringify(addresses));
if (await running.synced) console.log("ready");
await running.ended;
probe.close();
probe.closeAllConnections();
console.log(JSON.stringify(report));
