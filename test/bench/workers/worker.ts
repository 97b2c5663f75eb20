/**
 * Measures inside a Durable Object of workerd what cannot be seen from outside.
 * @module
 */
import type { ObjectNamespace, ObjectStorage } from "../../../adapters/cloudflare-platform.ts";
import { systemClock } from "../../../adapters/runtime/system-clock.ts";
import { createAlarmClock } from "../../../adapters/scheduler/alarm-clock.ts";
import { openDurableObjectScheduler } from "../../../adapters/scheduler/durable-object.ts";
import { emptyEntry } from "../../../adapters/scheduler/entry.ts";
import { ObjectStore } from "../../../adapters/scheduler/object-store.ts";
import { openTables } from "../../../adapters/scheduler/object-tables.ts";
import { keyOf, schedulingOptions } from "../../../functions/contract/index.ts";
import { recordingLogger } from "../../support/recording-logger.ts";
import { CLUSTER, CONTROLLER, refOf, success } from "../../support/shard.ts";
import { type Load, measureRows } from "../../workers/written-rows.ts";

/** Under the name that the configuration binds. */
export class SchedulerObject {
  readonly #storage: ObjectStorage;

  constructor(ctx: { storage: ObjectStorage }) {
    this.#storage = ctx.storage;
  }

  async fetch(request: Request): Promise<Response> {
    const asked = (await request.json()) as Load | { rows: number };
    if ("wave" in asked) return Response.json(await measureRows(this.#storage, openDurableObjectScheduler, asked));
    return Response.json(measureLoad(this.#storage, asked.rows));
  }
}

/** Milliseconds that a scheduler takes to open a store of so many waiting keys. */
function measureLoad(storage: ObjectStorage, rows: number): number {
  const store = new ObjectStore(storage, openTables(storage, CLUSTER)!);
  const waiting = Array.from({ length: rows }, (_, at) => {
    const ref = refOf(`a-name-of-an-usual-length-${at}`);
    const due = Date.now() + 3_600_000 + at;
    return [
      keyOf(ref),
      { ...emptyEntry(ref), due, place: due, reasons: ["requeue"] as const, lastStart: Date.now(), uid: "u" },
    ];
  }) as [string, ReturnType<typeof emptyEntry>][];
  void store.commit({ entries: new Map(waiting), parked: new Map() });
  const begun = performance.now();
  const scheduler = openDurableObjectScheduler(storage, (cluster) => ({
    controllers: new Map([[CONTROLLER, schedulingOptions.parse({})]]),
    clusters: new Set([cluster]),
    clock: createAlarmClock(systemClock, () => {}, null),
    logger: recordingLogger(),
    invoker: { invoke: async () => success },
    startsPerEvent: 25,
  }));
  void scheduler?.close();
  return performance.now() - begun;
}

export default {
  /** A fresh object for every request. */
  fetch: (request: Request, { SLUICE_SCHEDULER }: { SLUICE_SCHEDULER: ObjectNamespace }): Promise<Response> =>
    SLUICE_SCHEDULER.getByName(crypto.randomUUID()).fetch(request.url, request),
};
