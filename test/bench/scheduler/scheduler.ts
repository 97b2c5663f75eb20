/**
 * `npm run bench -- scheduler`: the scheduler alone, on Node, over SQLite and over memory: what it accepts and starts, how long
 * a change waits beside another cluster in trouble, and what loading many rows takes.
 * @module
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { guardFolder } from "../../cluster/support/process-guard.ts";
import { commitMs, slowDisks } from "../slow-disk/slow-disk.ts";
import { grid } from "../table.ts";
import type { Latency } from "./cases/latency.ts";
import type { Load } from "./cases/load.ts";
import type { Neighbour } from "./cases/neighbour.ts";
import type { Throughput } from "./cases/throughput.ts";
import {
  type Figure,
  latencyFigures,
  lines,
  loadFigures,
  neighbourFigures,
  overLimit,
  throughputFigures,
} from "./figures.ts";
import type { StoreName } from "./open-scheduler.ts";
import { type Case, full, quick, type Size } from "./plan.ts";

export type SchedulerBenchOptions = {
  quick?: boolean;
  rows?: readonly number[];
  stores: readonly StoreName[];
  /** Milliseconds more that each sync takes. */
  fsync?: number;
  /** Most milliseconds that the p99 of a change of b may be. */
  limit?: number;
  out?: string;
};

type Measure = <T>(file: string, asked: Case) => Promise<T>;

const POLL_MS = 300_000;
const DOWN_MS = 600_000;
/** None is due before it has been loaded. */
const REST_MS = 24 * 3_600_000;

export async function measureScheduler(options: SchedulerBenchOptions): Promise<void> {
  const size = options.quick ? quick : full;
  const rows = options.rows ?? (options.quick ? [10_000] : [10_000, 100_000, 1_000_000]);
  const [disk] = options.fsync === undefined ? [] : await slowDisks([options.fsync]);
  console.log(
    `${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, a commit takes ${await commitMs(disk?.env)} ms`,
  );
  const dir = mkdtempSync(join(tmpdir(), "sluice-scheduler-"));
  guardFolder(dir);
  const measure: Measure = (file, asked) => inProcess(asked, join(dir, file), disk?.env ?? {});
  const figures: Figure[] = [];
  try {
    for (const store of options.stores) figures.push(...(await ofStore(measure, store, size)));
    if (options.stores.includes("sqlite"))
      figures.push(...(await overdue(measure, size)), ...(await loads(measure, rows)));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
  console.log(grid(lines(figures)));
  if (figures.some(({ p99 }) => p99 === Number.POSITIVE_INFINITY))
    console.log(`never: not within ${size.sampling.limitMs / 1_000} s of the last change`);
  if (options.out) writeFileSync(options.out, `${JSON.stringify(figures, null, 2)}\n`);
  for (const { what, value } of overLimit(figures, options.limit ?? Number.POSITIVE_INFINITY)) {
    console.log(`over ${options.limit} ms: ${what}: ${value}`);
    process.exitCode = 1;
  }
}

async function ofStore(measure: Measure, store: StoreName, size: Size): Promise<Figure[]> {
  const { keys, idle, sampling, hanging, manyControllers, relisted } = size;
  const neighbour = async (trouble: string, asked: Case) =>
    neighbourFigures(trouble, store, await measure<Neighbour>(`${store}-${trouble.replaceAll(" ", "-")}`, asked));
  return [
    ...throughputFigures(store, await measure<Throughput>(`${store}-throughput`, { type: "throughput", store, keys })),
    ...latencyFigures(
      store,
      await measure<Latency>(`${store}-latency`, { type: "latency", store, idle, loaded: sampling }),
    ),
    // What the others are held against: so late is a change on this machine just now, without any trouble.
    ...(await neighbour("rests", { type: "relist", store, keys: 0, sampling })),
    ...(await neighbour(`hangs with ${hanging} keys`, {
      type: "hang",
      store,
      keys: hanging,
      controllers: 1,
      sampling,
    })),
    ...(await neighbour(`hangs with ${hanging} keys of ${manyControllers} controllers`, {
      ...{ type: "hang", store, keys: hanging, controllers: manyControllers, sampling },
    })),
    ...(await neighbour(`relists ${relisted} keys`, { type: "relist", store, keys: relisted, sampling })),
  ];
}

async function overdue(measure: Measure, { polls, sampling }: Size): Promise<Figure[]> {
  await measure("polls", { type: "fill", rows: polls, requeueMs: POLL_MS, aheadMs: -DOWN_MS });
  return neighbourFigures(
    `has ${polls} overdue polls`,
    "sqlite",
    await measure<Neighbour>("polls", { type: "polls", sampling }),
  );
}

async function loads(measure: Measure, rows: readonly number[]): Promise<Figure[]> {
  const filled = async (count: number) => {
    const begun = performance.now();
    await measure(`rows-${count}`, { type: "fill", rows: count, requeueMs: REST_MS });
    if (count > 0) console.log(`${count} rows written in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    return measure<Load>(`rows-${count}`, { type: "load", rows: count });
  };
  const empty = await filled(0);
  const figures: Figure[] = [];
  for (const count of rows) figures.push(...loadFigures(count, await filled(count), empty));
  return figures;
}

/** @throws Error where the process ends without a result. */
async function inProcess<T>(asked: Case, path: string, env: Readonly<Record<string, string>>): Promise<T> {
  const child = fork(join(import.meta.dirname, "case-process.ts"), [JSON.stringify(asked), path], {
    execArgv: ["--expose-gc", "--conditions=sluice-source"],
    env: { ...process.env, ...env },
    serialization: "advanced", // infinity is a result
  });
  const ended = once(child, "exit").then(([code, signal]) => {
    throw new Error(`${asked.type} ended with ${code ?? signal}`);
  });
  ended.catch(() => {});
  const [result] = (await Promise.race([once(child, "message"), ended])) as [T];
  await ended.catch(() => {});
  return result;
}
