import type { Spread } from "../harness/statistics.ts";
import type { Latency } from "./cases/latency.ts";
import type { Load } from "./cases/load.ts";
import type { Neighbour } from "./cases/neighbour.ts";
import type { Throughput } from "./cases/throughput.ts";
import type { StoreName } from "./open-scheduler.ts";

/** One measured thing: a row of the table, in the column of its store. `limited` marks what `--limit` holds. */
export type Figure = { what: string; store: StoreName; value: string; p99?: number; limited?: boolean };

export function throughputFigures(store: StoreName, measured: Throughput): Figure[] {
  return [
    { what: "triggers accepted a second, 100 a batch, 4 at once", store, value: String(measured.acceptedInBatches) },
    { what: "triggers accepted a second, 1 a batch, 64 at once", store, value: String(measured.acceptedOneByOne) },
    { what: "keys accepted, run and settled a second, 64 at once", store, value: String(measured.dispatched) },
  ];
}

export function latencyFigures(store: StoreName, measured: Latency): Figure[] {
  return [
    spreadFigure("trigger to accepted, idle", store, measured.idleAccepted),
    spreadFigure("trigger to start, idle", store, measured.idleStart),
    spreadFigure("trigger to start, beside 500 runs a second", store, measured.loadedStart),
  ];
}

export function neighbourFigures(trouble: string, store: StoreName, { a, b }: Neighbour): Figure[] {
  return [
    { ...spreadFigure(`change of b to start while a ${trouble}`, store, b), limited: true },
    ...(a ? [spreadFigure(`change of a to start while a ${trouble}`, store, a)] : []),
  ];
}

/** @param empty the same of a file without rows. */
export function loadFigures(rows: number, { loadMs, rssMiB, peakMiB, heapMiB }: Load, empty: Load): Figure[] {
  const of = `of ${rows} rows`;
  const bytes = Math.round(((heapMiB - empty.heapMiB) * 2 ** 20) / rows);
  return [
    { what: `load ${of}, ms`, store: "sqlite", value: String(loadMs) },
    { what: `RSS / peak / heap ${of}, MiB`, store: "sqlite", value: `${rssMiB} / ${peakMiB} / ${heapMiB}` },
    { what: `heap a row ${of}, bytes`, store: "sqlite", value: String(bytes) },
  ];
}

/** What is over the limit, or has not started at all. */
export function overLimit(figures: readonly Figure[], limitMs: number): Figure[] {
  return figures.filter(({ limited, p99 = 0 }) => limited && p99 > limitMs);
}

/** A row a figure, a column a store. */
export function lines(figures: readonly Figure[]): string[][] {
  const stores = [...new Set(figures.map(({ store }) => store))];
  const rows = new Map<string, string[]>();
  for (const { what, store, value } of figures) {
    const cells = rows.get(what) ?? stores.map(() => "-");
    cells[stores.indexOf(store)] = value;
    rows.set(what, cells);
  }
  return [["", ...stores], ...[...rows].map(([what, cells]) => [what, ...cells])];
}

function spreadFigure(what: string, store: StoreName, { p50, p99 }: Spread): Figure {
  return { what: `${what}, p50 / p99 ms`, store, value: `${started(p50)} / ${started(p99)}`, p99 };
}

const started = (ms: number) => (ms === Number.POSITIVE_INFINITY ? "never" : String(ms));
