import type { Scheduler } from "../../functions/ports/index.ts";
import type { ObjectStorage } from "../cloudflare-platform.ts";
import type { AlarmClock } from "./alarm-clock.ts";
import { createDriver, type SchedulerOptions } from "./driver.ts";
import { openObjectStore } from "./object-store.ts";

export type DurableObjectSchedulerOptions = SchedulerOptions & {
  clock: AlarmClock;
  /** Most runs that one batch of triggers, or one alarm, may start. */
  startsPerEvent: number;
};

/**
 * A scheduler in the SQLite of a Durable Object, woken by its alarm. Runs are invocations of their own and may outlive the
 * object, so their leases do too (S5).
 *
 * Nothing here waits for the disk: the platform holds back answers and requests until all that was written before them is
 * durable, the alarm with it (S3). So a commit needs no rest, and the runs of a commit start at once.
 * @throws Error when the store is of a later schema version.
 * @example const scheduler = createDurableObjectScheduler(ctx.storage, { controllers, invoker, clock, logger, startsPerEvent: 25 });
 */
export function createDurableObjectScheduler(
  storage: ObjectStorage,
  { startsPerEvent, ...options }: DurableObjectSchedulerOptions,
): Scheduler {
  return createDriver(openObjectStore(storage), options, {
    defer: (work) => queueMicrotask(work),
    remoteRuns: true,
    opensByEvent: true, // an alarm that is set before its handler has begun cancels that
    startsPerEvent,
  });
}
