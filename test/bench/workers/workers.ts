/**
 * `npm run bench -- workers`: what a reconcile writes and costs on Workers, and how fast it starts, in the workerd that is
 * installed.
 * @module
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveWorker } from "../../../examples/workerd/serve-worker.ts";
import { root } from "../../repository/source-file.ts";
import type { Written } from "../../workers/written-rows.ts";
import { round, spread } from "../harness/statistics.ts";
import { type BenchGateway, openGateway } from "./gateway.ts";
import { LOADS, rowsTable } from "./rows.ts";
import { startSession } from "./worker-session.ts";

export type Figure = [what: string, figure: string];

/** Prints as it goes. @returns the figures that are not of rows. */
export async function measureWorkers({ triggers }: { triggers: number }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-workers-"));
  const gateway = await openGateway();
  try {
    const latency = await triggerToStart(folder, gateway, triggers);
    const { rows, loadMs } = await insideAnObject(folder);
    const figures: Figure[] = [
      ["Worker, gzip", sizeOfWorker(folder)],
      ["start of workerd to the first answer", `${round(latency.startMs, 0)} ms`],
      ["POST of a trigger to the function's first request, p50", `${latency.p50} ms`],
      ["the same, p99", `${latency.p99} ms`],
      ["500 triggers in one commit to the 202, p50", `${await manyTriggers(folder, gateway)} ms`],
      ["load of 10,000 rows", `${round(loadMs, 0)} ms`],
      ["CPU of a reconcile, Worker and object", `${round(latency.cpuMs)} ms`],
    ];
    for (const [what, figure] of figures) console.log(`${what.padEnd(56)}${figure.padStart(12)}`);
    console.log(`\n${rowsTable(rows, latency.cpuMs).join("\n")}`);
  } finally {
    gateway.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function triggerToStart(folder: string, gateway: BenchGateway, count: number) {
  const session = await startSession(folder, gateway, 16);
  const started = (name: string) =>
    new Promise<number>((resolve) => {
      gateway.onStart = (arrived) => {
        if (arrived === name) resolve(performance.now());
      };
    });
  const one = async (name: string) => {
    const start = started(name);
    const at = performance.now();
    await session.trigger(name);
    return (await start) - at;
  };
  for (let i = 0; i < 50; i++) await one(`warm-${i}`);
  const cpu = session.cpuMs();
  const latencies: number[] = [];
  for (let i = 0; i < count; i++) latencies.push(await one(`doc-${i}`));
  const cpuMs = (session.cpuMs() - cpu) / count;
  await session.stop();
  return { ...spread(latencies), startMs: session.startMs, cpuMs };
}

/** Of batches of new keys, while one run holds the controller's only place. */
async function manyTriggers(folder: string, gateway: BenchGateway): Promise<number> {
  gateway.answers = false;
  const session = await startSession(join(folder, "many"), gateway, 1);
  const took: number[] = [];
  for (let batch = 0; batch < 20; batch++)
    took.push(await session.trigger(...Array.from({ length: 500 }, (_, at) => `batch-${batch}-of-documents-${at}`)));
  await session.stop();
  return spread(took.slice(2)).p50;
}

async function insideAnObject(folder: string): Promise<{ rows: Written[]; loadMs: number }> {
  const worker = await serveWorker({
    entry: "test/bench/workers/worker.ts",
    texts: {},
    folder: join(folder, "object"),
    onLine: console.error,
  });
  const ask = async <T>(body: object): Promise<T> => {
    const answer = await fetch(worker.url, { method: "POST", body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`the bench's object answered ${answer.status}`);
    return (await answer.json()) as T;
  };
  const rows: Written[] = [];
  for (const load of LOADS) rows.push(await ask<Written>(load));
  const loads = [];
  for (let i = 0; i < 5; i++) loads.push(await ask<number>({ rows: 10_000 }));
  await worker.stop();
  return { rows, loadMs: spread(loads).p50 };
}

/** As `wrangler deploy` would upload it. */
function sizeOfWorker(folder: string): string {
  const args = ["--no-install", "wrangler", "deploy", "--dry-run", "--outdir", join(folder, "upload")];
  const env = { ...process.env, WRANGLER_SEND_METRICS: "false" };
  const output = execFileSync("npx", args, { cwd: root, env, encoding: "utf8" });
  const size = /gzip: ([\d.]+ KiB)/.exec(output)?.[1];
  if (!size) throw new Error(`wrangler does not tell the size:\n${output}`);
  return size;
}
