import { expect, test } from "vitest";
import { openDurableObjectScheduler } from "../../adapters/scheduler/durable-object.ts";
import { withinObject } from "./within-object.ts";
import { type Load, measureRows } from "./written-rows.ts";

/** What a reconcile may write at most: rows of the object's tables and settings of its alarm. */
test.each<Load & { most: number }>([
  { wave: 1, from: "trigger", outcome: "await change", most: 2 },
  { wave: 1, from: "trigger", outcome: "requeue", most: 3 },
  { wave: 1, from: "trigger", outcome: "error", most: 3 },
  { wave: 1, from: "due time", outcome: "await change", most: 2 },
  { wave: 1, from: "due time", outcome: "requeue", most: 3 },
  { wave: 1, from: "due time", outcome: "error", most: 3 },
  { wave: 100, from: "trigger", outcome: "await change", most: 2.1 },
  { wave: 100, from: "trigger", outcome: "requeue", most: 2.1 },
  { wave: 100, from: "trigger", outcome: "error", most: 2.1 },
  { wave: 100, from: "due time", outcome: "await change", most: 1.1 },
  { wave: 100, from: "due time", outcome: "requeue", most: 1.1 },
  { wave: 100, from: "due time", outcome: "error", most: 1.1 },
  { wave: 20, from: "due time", outcome: "requeue", spreadMs: 1_000, most: 2.5 },
])("$wave from a $from, then $outcome: at most $most rows a reconcile", (load) =>
  withinObject(async (storage) => {
    const { rows, reconciles } = await measureRows(storage, openDurableObjectScheduler, load);
    expect(reconciles).toBeGreaterThanOrEqual(load.wave);
    expect(rows / reconciles).toBeLessThanOrEqual(load.most);
    expect(rows / reconciles).toBeGreaterThan(1);
  }),
);
