import { eventually } from "../../../cluster/support/eventually.ts";
import { round } from "../../harness/statistics.ts";
import { awaitsChange, Runs, requeues } from "../runs.ts";
import { open, openSettled } from "../session.ts";
import { acceptAll, manyTriggers } from "../triggering.ts";

export type Load = { loadMs: number; rssMiB: number; peakMiB: number; heapMiB: number };

const LIMIT_MS = 1_200_000;
const FILL_CONCURRENCY = 10_000;

/** Leaves a file with so many keys of cluster a that ran and asked to run again after `requeueMs`. */
export async function fill(path: string, rows: number, requeueMs: number, aheadMs = 0): Promise<void> {
  const runs = new Runs(() => ({ takesMs: 0, answer: requeues(requeueMs) }));
  const scheduling = { concurrency: FILL_CONCURRENCY };
  const { scheduler } = await openSettled({ store: "sqlite", path, runs, scheduling, aheadMs });
  await acceptAll(scheduler, manyTriggers(rows), { width: 4 });
  await eventually("every key has run", LIMIT_MS, () => runs.ended === rows && scheduler.size().running === 0);
  await scheduler.close();
}

/** From opening the file until the scheduler has loaded all rows, none of them due; and what this process has of memory then. */
export async function load(path: string, rows: number): Promise<Load> {
  const begun = performance.now();
  const { scheduler } = await open({
    store: "sqlite",
    path,
    runs: new Runs(() => ({ takesMs: 0, answer: awaitsChange })),
  });
  const loadMs = round(performance.now() - begun, 0);
  const { entries } = scheduler.size();
  if (entries !== rows) throw new Error(`${entries} of ${rows} rows were loaded`);
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const mib = (bytes: number) => round(bytes / 2 ** 20, 1);
  return { loadMs, rssMiB: mib(rss), peakMiB: mib(process.resourceUsage().maxRSS * 1024), heapMiB: mib(heapUsed) };
}
