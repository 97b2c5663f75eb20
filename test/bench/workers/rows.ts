import { ALARM_GRAIN_MS } from "../../../adapters/scheduler/alarm-clock.ts";
import type { Load, Written } from "../../workers/written-rows.ts";
import { billOf, PRICE_LISTS, PRICES_READ_ON } from "./prices.ts";

const OUTCOMES = ["await change", "requeue", "error"] as const;
const APART = { wave: 20, from: "due time", outcome: "requeue", spreadMs: 1_000 } as const;
export const LOADS: readonly Load[] = [
  ...[1, 100].flatMap((wave) =>
    (["trigger", "due time"] as const).flatMap((from) => OUTCOMES.map((outcome) => ({ wave, from, outcome }))),
  ),
  // What the alarm's grain is for, and what it costs: a wave is shared by what waits for it.
  ...[50, ALARM_GRAIN_MS, 250].map((grainMs) => ({ ...APART, grainMs })),
];

/** A run that takes this long holds the object in memory, 128 MB of it, alone or together with those of its wave. */
const RUN_SECONDS = 0.2;
const GIGABYTES = 0.128;

const NAME_WIDTH = 66;

/** One line a load: what it counts a reconcile, and what a million of them cost. */
export function rowsTable(written: readonly Written[], cpuMs: number): string[] {
  const lines = written.map(({ load, reconciles, rows, late, objectRequests, batches }) => {
    const bill = billOf({
      workerRequests: batches / reconciles,
      objectRequests: objectRequests / reconciles,
      rowsWritten: rows / reconciles,
      kvReads: load.outcome === "error" && load.from === "due time" ? 1 : 0,
      kvWrites: load.outcome === "error" ? 1 : 0,
      cpuMs,
      gigabyteSeconds: (RUN_SECONDS * GIGABYTES) / load.wave,
    });
    const spread = load.spreadMs ? `, within ${load.spreadMs} ms, alarm each ${load.grainMs} ms` : "";
    const name = `${load.wave} from a ${load.from}, ${load.outcome}${spread}`;
    const figures = [rows / reconciles, objectRequests / reconciles, bill.rowsWritten, bill.total];
    const text = figures.map((figure) => figure.toFixed(2).padStart(14));
    return [name.padEnd(NAME_WIDTH), ...text, `${late.meanMs.toFixed(0)} / ${late.mostMs}`.padStart(14)].join("");
  });
  const head = ["rows", "object calls", "$/M, rows", "$/M, all"].map((text) => text.padStart(14));
  head.push("late, ms".padStart(14));
  return [
    `${"a reconcile of a wave of".padEnd(NAME_WIDTH)}${head.join("")}`,
    ...lines,
    `$/M: a million reconciles above the included amounts: rows, calls, requests, KV, ${cpuMs.toFixed(1)} ms of CPU as measured`,
    `here, and 128 MB for ${RUN_SECONDS * 1000} ms a wave. Prices: https://developers.cloudflare.com/, read on ${PRICES_READ_ON}:`,
    `${PRICE_LISTS.join(", ")}.`,
    "Late: how long after its due time a run starts, on average and at most, by an alarm that the platform rings in time.",
  ];
}
