/**
 * `npm run bench -- loop`: our example's figures, beside the peers' where PEERS_BIN names the folder of their binaries.
 * `npm run bench -- relay`: the relay's own, likewise.
 * `npm run bench -- scheduler`: the scheduler alone.
 * `npm run bench -- kube-api`: those of the in-process API server.
 * @module
 */
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { Command, Option } from "commander";
import { buildControlPlane } from "../cluster/control-plane/build.ts";
import { kubeApi } from "./kube-api.ts";
import {
  candidates,
  candidatesOnDisks,
  onSlowDisks,
  type RuntimeName,
  runLoop,
  runtimes,
  type ScenarioName,
  usual,
} from "./loop.ts";
import {
  integers,
  knownScenarios,
  milliseconds,
  millisecondsList,
  positiveInteger,
  scenarioList,
} from "./option-values.ts";
import { measureRelay } from "./relay/relay.ts";
import { stores } from "./scheduler/open-scheduler.ts";
import { measureScheduler } from "./scheduler/scheduler.ts";
import { slowDisks } from "./slow-disk/slow-disk.ts";
import { table } from "./table.ts";
import { measureWorkers } from "./workers/workers.ts";

type Options = {
  scenarios?: ScenarioName[];
  count: number;
  changes: number;
  concurrency: number;
  runtime: RuntimeName;
  fsync?: number[];
  bin?: string;
  out?: string;
};

async function loop(options: Options): Promise<void> {
  const bin = options.bin ?? buildControlPlane();
  const { count, changes, concurrency, fsync } = options;
  const scenarios = options.scenarios ?? (fsync ? onSlowDisks : usual);
  console.log(
    `${count} objects, ${changes} changes, concurrency ${concurrency}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`,
  );
  const { PEERS_BIN } = process.env;
  const all = fsync ? candidatesOnDisks(PEERS_BIN, await slowDisks(fsync)) : candidates(PEERS_BIN, options.runtime);
  const reports = [];
  for (const candidate of all) reports.push(await runLoop(candidate, scenarios, { bin, count, changes, concurrency }));
  console.log(`\n${table(reports)}`);
  if (options.out) writeFileSync(options.out, `${JSON.stringify(reports, null, 2)}\n`);
  if (reports.some(({ failures }) => Object.keys(failures).length > 0)) process.exitCode = 1;
}

const program = new Command("bench").description("figures side by side with the peers");
program
  .command("loop", { isDefault: true })
  .description("the Document job on a control plane of its own")
  .option("--scenarios <list>", `of ${knownScenarios.join(", ")} (default: all but failing)`, scenarioList)
  .option("--count <n>", "Documents", positiveInteger, 2000)
  .option("--changes <n>", "changes one at a time", positiveInteger, 300)
  .option("--concurrency <n>", "runs at once", positiveInteger, 16)
  .addOption(new Option("--runtime <name>", "where our example runs").choices(runtimes).default("node"))
  .addOption(
    new Option("--fsync <list>", `on disks whose syncs take so many ms more, on Node: ${onSlowDisks.join(", ")}`)
      .argParser(millisecondsList)
      .conflicts("runtime"),
  )
  .option("--bin <dir>", "the control plane's binaries (default: KUBEBUILDER_ASSETS, or built)")
  .option("--out <file>", "write everything measured as JSON")
  .action(loop);
program
  .command("kube-api")
  .description("the in-process API server: requests and watch events a second, memory with 10,000 objects")
  .action(async () => {
    for (const [what, figure] of await kubeApi()) console.log(`${what.padEnd(44)}${figure.padStart(8)}`);
  });
program
  .command("workers")
  .description("on Cloudflare Workers: rows and dollars a reconcile, time from trigger to start, the Worker's size")
  .option("--triggers <n>", "one at a time", positiveInteger, 1000)
  .action(measureWorkers);
program
  .command("relay")
  .description("the relay's bundle: memory beside the peers', change to trigger, CPU, cold start and restart")
  .option("--count <list>", "Documents of 10 KB, each with its ConfigMap", integers, [10_000, 20_000])
  .option("--small <n>", "small Documents, in a cluster of their own; 0 for none", Number, 100_000)
  .option("--changes <n>", "changes one at a time", positiveInteger, 300)
  .option("--settle <seconds>", "at rest before memory is read", Number, 40)
  .addOption(new Option("--runtime <name>", "what runs the bundle").choices(["deno", "node"]).default("deno"))
  .option("--bin <dir>", "the control plane's binaries (default: KUBEBUILDER_ASSETS, or built)")
  .action(measureRelay);
program
  .command("scheduler")
  .description(
    "the scheduler alone: triggers and runs a second, latency, a cluster in trouble beside another, load and memory",
  )
  .option("--quick", "smaller, in about 20 s")
  .option("--rows <list>", "rows to load (default: 10000, 100000 and 1000000; quick: 10000)", integers)
  .addOption(new Option("--stores <name...>", "where it keeps them").choices(stores).default([...stores]))
  .option("--fsync <ms>", "on a disk whose syncs take so many ms more", milliseconds)
  .option("--limit <ms>", "fail where the p99 of a change beside another cluster's trouble is over it", milliseconds)
  .option("--out <file>", "write the figures as JSON")
  .action(measureScheduler);
await program.parseAsync();
