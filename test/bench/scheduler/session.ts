import { type SchedulingOptions, schedulingOptions } from "../../../functions/contract/index.ts";
import { BenchClock } from "./bench-clock.ts";
import { type Opened, openScheduler, type StoreName } from "./open-scheduler.ts";
import type { Runs } from "./runs.ts";
import { CONTROLLER } from "./triggering.ts";

/** The scheduler under measurement, with clusters a and b. */
export type Session = { scheduler: Opened; runs: Runs; clock: BenchClock };

export type SessionOptions = {
  store: StoreName;
  path: string;
  runs: Runs;
  scheduling?: Partial<SchedulingOptions>;
  controllers?: readonly string[];
  /** How far the clock is ahead of the machine's. */
  aheadMs?: number;
};

/** A scheduler commits before each start in the first minute after a load, and then no more. */
const FIRST_MINUTE_MS = 61_000;

export async function open(options: SessionOptions): Promise<Session> {
  const { store, path, runs, scheduling = {}, controllers = [CONTROLLER], aheadMs = 0 } = options;
  const clock = new BenchClock(aheadMs);
  const declared = schedulingOptions.parse(scheduling);
  const scheduler = await openScheduler({
    ...{ store, path, clock },
    controllers: new Map(controllers.map((name) => [name, declared])),
    clusters: ["a", "b"],
    invoker: runs,
  });
  return { scheduler, runs, clock };
}

/** As it is long after its load. */
export async function openSettled(options: SessionOptions): Promise<Session> {
  const session = await open(options);
  session.clock.skip(FIRST_MINUTE_MS);
  return session;
}
