import { createDriver, type Host } from "../../adapters/scheduler/driver.ts";
import type { SchedulingOptions, Trigger } from "../../functions/contract/index.ts";
import { bench } from "../contract/scheduler-bench.ts";
import { HeldStore } from "../support/held-store.ts";
import { CLUSTER } from "../support/shard.ts";

/** From then on a run may start beside its commit (S3). */
export const CAREFUL_FOR_MS = 60_000;

/** How a promise stands. */
export type Standing = "waits" | "done" | "refused";

/** A driver over a store whose commits the test holds up. By default runs end with the process. */
export async function driven(scheduling: Partial<SchedulingOptions> = {}, host: Partial<Host> = {}) {
  let store = new HeldStore();
  const b = await bench(
    {
      open: (options) => createDriver(store, options, { defer: queueMicrotask, runsInProcess: true, ...host }),
      crash: () => {
        store = store.afterCrash();
      },
      cleanUp() {},
      remoteRuns: host.runsInProcess === false,
    },
    scheduling,
  );
  await b.clock.settle();
  /** How what was asked for stands, once all that needs no time has happened. */
  const standing = (asked: Promise<unknown>): (() => Promise<Standing>) => {
    let now: Standing = "waits";
    asked.then(
      () => {
        now = "done";
      },
      () => {
        now = "refused";
      },
    );
    return async () => {
      await b.clock.settle();
      return now;
    };
  };
  return {
    ...b,
    get store() {
      return store;
    },
    get scheduler() {
      return b.scheduler;
    },
    accept: (...triggers: Trigger[]) => standing(b.scheduler.accept(CLUSTER, triggers)),
    wake: () => standing(b.scheduler.wake(CLUSTER)),
    standing,
    /** Until runs may start beside their commits. */
    pastTheCarefulMinute: () => b.clock.advance(CAREFUL_FOR_MS),
    releaseAfter: async (ms: number) => {
      await b.clock.advance(ms);
      store.release();
      await b.clock.settle();
    },
  };
}
