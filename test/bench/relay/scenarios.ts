import { denoCommand, imageEnv } from "../../cluster/image/dockerfile.ts";
import type { RecordedFunctions } from "../../cluster/image/functions.ts";
import { denoProgram } from "../../cluster/image/sandbox.ts";
import { SECRET } from "../../cluster/loop/deployment.ts";
import { eventually } from "../../cluster/support/eventually.ts";
import { pause } from "../harness/pause.ts";
import { round, spread } from "../harness/statistics.ts";
import type { BenchCluster } from "./cluster.ts";
import { MeasuredProcess, type Memory } from "./relay-process.ts";

/** The relay under measurement, and what it runs against. */
export type Bench = { cluster: BenchCluster; functions: RecordedFunctions; bundle: string; runtime: "deno" | "node" };
export type Figure = [what: string, figure: string];

const LIMIT_MS = 600_000;

export function startRelay({ cluster, functions, bundle, runtime }: Bench): MeasuredProcess {
  const command =
    runtime === "node"
      ? [process.execPath, bundle]
      : denoCommand({ deno: denoProgram(), bundle, read: [cluster.plane.dir] });
  return new MeasuredProcess(command, {
    ...imageEnv(),
    PATH: process.env.PATH ?? "",
    KUBECONFIG: cluster.kubeconfig(),
    SLUICE_CLUSTER: "home",
    SLUICE_INGRESS: functions.url,
    SLUICE_SECRET: SECRET,
    SLUICE_METRICS_PORT: "off",
  });
}

/** Starts a relay that knows nothing, and waits until every key is triggered. */
export async function cold(bench: Bench): Promise<{ relay: MeasuredProcess; figures: Figure[] }> {
  const { cluster, functions } = bench;
  const count = cluster.names.length;
  functions.forget();
  const { accepted } = functions;
  const relay = startRelay(bench);
  const readyMs = await relay.ready;
  await eventually("every key is triggered", LIMIT_MS, () => functions.accepted - accepted >= count);
  const seconds = (performance.now() - relay.startedAt) / 1000;
  const figures: Figure[] = [
    ["cold start to ready", `${round(readyMs / 1000)} s`],
    ["cold start to the last trigger", `${round(seconds)} s`],
    ["triggers a second", String(round(count / (seconds - readyMs / 1000 || 1), 0))],
    ["invocations", String(functions.accepted - accepted)],
  ];
  return { relay, figures };
}

/**
 * Stops the relay in order, and starts it again twice with nothing changed between: with its checkpoint, and without.
 */
export async function restart(bench: Bench, before: MeasuredProcess): Promise<Figure[]> {
  const stopping = performance.now();
  const code = await before.stop();
  const stopMs = performance.now() - stopping;
  const warm = await again(bench, "warm restart");
  bench.functions.forget();
  return [
    ["SIGTERM to its end", `${round(stopMs / 1000)} s, code ${code}`],
    ...warm,
    ...(await again(bench, "cold restart")),
  ];
}

/** Starts a relay, waits until it rests, and stops it. */
async function again(bench: Bench, what: string): Promise<Figure[]> {
  const { cluster, functions } = bench;
  // A watch is counted when it has ended.
  await pause(1_000);
  const [requests, accepted] = [await cluster.requests(), functions.accepted];
  const relay = startRelay(bench);
  const readyMs = await relay.ready;
  await relay.rest(3_000);
  await relay.stop();
  await pause(1_000);
  return [
    [`${what} to ready`, `${round(readyMs / 1000)} s`],
    [`${what}, lists and watches`, String((await cluster.requests()) - requests)],
    [`${what}, invocations`, String(functions.accepted - accepted)],
  ];
}

/** Changes one at a time: from the PATCH that makes it to the trigger's 202. */
export async function latency({ cluster, functions }: Bench, changes: number): Promise<Figure[]> {
  const times: number[] = [];
  for (let i = 0; i < changes + 20; i++) {
    const name = cluster.names[(i * 7) % cluster.names.length] ?? "";
    const triggered = new Promise<number>((resolve) => {
      functions.onAccepted = (batch) => {
        if (batch.some((trigger) => trigger.name === name)) resolve(performance.now());
      };
    });
    const at = performance.now();
    await cluster.change(name);
    times.push((await triggered) - at);
  }
  functions.onAccepted = () => {};
  const { p50, p99 } = spread(times.slice(20));
  return [
    ["change to trigger, p50", `${p50} ms`],
    ["change to trigger, p99", `${p99} ms`],
  ];
}

/** Changes of all objects, 64 at once. */
export async function load({ cluster, functions }: Bench, relay: MeasuredProcess): Promise<Figure[]> {
  const triggered = new Set<string>();
  functions.onAccepted = (batch) => {
    for (const { name } of batch) triggered.add(name);
  };
  const count = cluster.names.length;
  const [cpu, at] = [relay.cpuSeconds(), performance.now()];
  await cluster.changeAll();
  await eventually("every change is triggered", LIMIT_MS, () => triggered.size >= count);
  const seconds = (performance.now() - at) / 1000;
  functions.onAccepted = () => {};
  return [
    ["changes a second, all triggered", String(round(count / seconds, 0))],
    ["CPU per 1,000 events", `${round((relay.cpuSeconds() - cpu) * (1_000 / count) * 1_000, 0)} ms`],
  ];
}

/**
 * Memory at rest, so long after the work: the image's relay collects garbage every 30 s. And what a list of everything takes
 * on top, after the API server has forgotten all versions.
 */
export async function memory(
  { cluster }: Bench,
  relay: MeasuredProcess,
  settleMs: number,
): Promise<{ steady: Memory; figures: Figure[] }> {
  await relay.rest();
  await pause(settleMs);
  const steady = relay.memory();
  const listed = relay.said(/watch recovered/);
  relay.resetPeak();
  await cluster.plane.expireHistory();
  await eventually("both watches have listed again", LIMIT_MS, () => relay.said(/watch recovered/) >= listed + 2);
  await relay.rest();
  await pause(settleMs);
  const after = relay.memory();
  return {
    steady,
    figures: [
      ["RSS steady", `${steady.rssMiB} MiB`],
      ["RSS peak since the start", `${steady.peakMiB} MiB`],
      ["RSS after a list of everything", `${after.rssMiB} MiB`],
      ["RSS peak during it", `${after.peakMiB} MiB`],
    ],
  };
}
