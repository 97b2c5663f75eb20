import type { Scheduler } from "../../functions/ports/index.ts";
import type { ObjectStorage } from "../cloudflare-platform.ts";
import type { AlarmClock } from "./alarm-clock.ts";
import { createDriver, type SchedulerOptions } from "./driver.ts";
import { ObjectStore } from "./object-store.ts";
import { openTables } from "./object-tables.ts";

/**
 * Most keys of an object (S21). One has 128 MB for all that it does; 200,000 keys of up to 200 characters, which is most
 * of them, take about 60 MB of it.
 */
export const MOST_KEYS_OF_AN_OBJECT = 200_000;

export type DurableObjectSchedulerOptions = SchedulerOptions & {
  clock: AlarmClock;
  /** Most runs that one batch of triggers, or one alarm, may start. */
  startsPerEvent: number;
};

/**
 * A cluster's scheduler in the SQLite of a Durable Object, woken by its alarm. Runs are invocations of their own and may
 * outlive the object, so their leases do too (S5).
 * @param cluster for which tables are created where the object has none. Without one nothing is created.
 * @returns undefined where the object holds nothing.
 * @throws Error when the store is of a later schema version.
 * @example const scheduler = openDurableObjectScheduler(ctx.storage, options, "home");
 */
export function openDurableObjectScheduler(
  storage: ObjectStorage,
  optionsOf: (cluster: string) => DurableObjectSchedulerOptions,
  cluster?: string,
): Scheduler | undefined {
  const tables = openTables(storage, cluster);
  if (!tables) return undefined;
  const { startsPerEvent, limits, ...options } = optionsOf(tables.cluster);
  return createDriver(
    new ObjectStore(storage, tables),
    { ...options, limits: { keys: MOST_KEYS_OF_AN_OBJECT, ...limits } },
    {
      defer: (work) => queueMicrotask(work),
      runsInProcess: false,
      opensByEvent: true, // an alarm that is set before its handler has begun cancels that
      startsPerEvent,
      setLeaseTimer: (delayMs, callback) => options.clock.setLeaseTimer(delayMs, callback),
    },
  );
}
