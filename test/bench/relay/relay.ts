/**
 * `npm run bench -- relay`: the relay's bundle on its image's runtime, against a control plane of its own. Memory beside the
 * peers' where PEERS_BIN names the folder of their binaries.
 * @module
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { documentsController } from "../../../examples/documents/controller.ts";
import { manifestOf } from "../../../functions/controller/manifest.ts";
import { buildRelay } from "../../../infra/image/build.ts";
import { buildControlPlane } from "../../cluster/control-plane/build.ts";
import { serveFunctions } from "../../cluster/image/functions.ts";
import { round } from "../harness/statistics.ts";
import { candidates } from "../loop.ts";
import { BenchCluster } from "./cluster.ts";
import { MeasuredProcess } from "./relay-process.ts";
import { type Bench, cold, type Figure, latency, load, memory, restart } from "./scenarios.ts";

export type RelayBenchOptions = {
  /** Documents of 10 KB, each with a ConfigMap of 10 KB: each number in turn. */
  count: readonly number[];
  /** Small Documents without children. */
  small: number;
  changes: number;
  /** Seconds at rest before memory is read. */
  settle: number;
  runtime: "deno" | "node";
  bin?: string;
};

const CONTENT = 10_000;

export async function measureRelay(options: RelayBenchOptions): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "sluice-relay-"));
  const bundle = join(dir, "relay.js");
  await buildRelay(bundle);
  const reporter = { ran() {}, failed() {} };
  const controller = documentsController({ ownWrites: "ignore", concurrency: 16, reporter });
  const functions = await serveFunctions(await manifestOf([controller]));
  const bin = options.bin ?? buildControlPlane();
  const say = (figures: readonly Figure[]) => {
    for (const [what, figure] of figures) console.log(`${what.padEnd(56)}${figure.padStart(16)}`);
  };
  try {
    say([["bundle", `${round(statSync(bundle).size / 1024, 0)} KiB`]]);
    const idle = await atSize({ functions, bundle, runtime: options.runtime }, bin, async (bench) => {
      const { relay } = await cold(bench);
      await relay.rest();
      const { rssMiB } = relay.memory();
      await relay.stop();
      say([["RSS with no object", `${rssMiB} MiB`]]);
      return rssMiB;
    });
    await atSize({ functions, bundle, runtime: options.runtime }, bin, async (bench) => {
      for (const count of options.count) {
        await bench.cluster.fill(count, CONTENT, true);
        console.log(`\n${count} Documents of 10 KB and their ConfigMaps, load ${loadavg()[0]?.toFixed(1)}`);
        for (const { name, command } of candidates(process.env.PEERS_BIN).slice(1))
          say(await peer(bench, dir, name, command));
        const first = await cold(bench);
        say(first.figures);
        const { steady, figures } = await memory(bench, first.relay, options.settle * 1_000);
        say([...figures, ["RSS an object", `${round(((steady.rssMiB - idle) * 1024 * 1024) / (2 * count), 0)} bytes`]]);
        if (count === options.count[0]) {
          say(await latency(bench, options.changes));
          say(await load(bench, first.relay));
        }
        const second = await restart(bench, first.relay);
        say(second.figures);
        await second.relay.stop();
      }
    });
    if (options.small > 0)
      await atSize({ functions, bundle, runtime: options.runtime }, bin, async (bench) => {
        await bench.cluster.fill(options.small, 10, false);
        console.log(`\n${options.small} small Documents, load ${loadavg()[0]?.toFixed(1)}`);
        const { relay, figures } = await cold(bench);
        say(figures);
        const measured = await memory(bench, relay, options.settle * 1_000);
        const bytes = ((measured.steady.rssMiB - idle) * 1024 * 1024) / options.small;
        say([...measured.figures, ["RSS an object", `${round(bytes, 0)} bytes`]]);
        await relay.stop();
      });
  } finally {
    await functions.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function atSize<T>(rest: Omit<Bench, "cluster">, bin: string, measure: (bench: Bench) => Promise<T>): Promise<T> {
  const cluster = await BenchCluster.start(bin);
  try {
    return await measure({ ...rest, cluster });
  } finally {
    await cluster.stop();
  }
}

/** A peer's controller, doing the whole job, once all has converged. */
async function peer({ cluster }: Bench, dir: string, name: string, command: string): Promise<Figure[]> {
  const STATE_DIR = join(dir, `${name}-${cluster.names.length}`);
  mkdirSync(STATE_DIR);
  const env = { ...(process.env as Record<string, string>), KUBECONFIG: cluster.plane.kubeconfig, STATE_DIR };
  const running = new MeasuredProcess(["bash", "-c", command], env);
  await running.ready;
  // Each object is looked at again after five minutes, which at this size never ends.
  await running.rest(10_000, 0.2);
  const { rssMiB, peakMiB } = running.memory();
  await running.stop();
  return [
    [`${name}: RSS steady`, `${rssMiB} MiB`],
    [`${name}: RSS peak`, `${peakMiB} MiB`],
  ];
}
