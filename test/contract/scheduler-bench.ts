import type { SchedulerOptions } from "../../adapters/scheduler/driver.ts";
import { createVirtualClock } from "../../adapters/testing/virtual-clock.ts";
import {
  type ReconcileAnswer,
  type ReconcileRequest,
  type SchedulingOptions,
  schedulingOptions,
  type Trigger,
} from "../../functions/contract/index.ts";
import { InvocationRefused, type Refusal, type Scheduler } from "../../functions/ports/index.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { CONTROLLER } from "../support/shard.ts";

/** How an adapter is opened, and opened again after its process was killed. */
export type SchedulerAdapter = {
  open: (options: SchedulerOptions) => Scheduler;
  /** Lets go of everything at once, as `kill -9` does; `open` then finds what was committed. */
  crash: () => void;
  cleanUp: () => void;
  /** Whether runs go on without the process that started them: their leases then stand (S5). */
  remoteRuns?: boolean;
};

/** Runs a test where its adapter can be opened. */
export type Within = (test: () => Promise<void>) => Promise<void>;

type Run = { request: ReconcileRequest; answer: (answer: unknown) => void; fail: (error: unknown) => void };

const DEFAULTS = { deadlineMs: 60_000, backoff: { baseMs: 1_000, factor: 2, maxMs: 900_000, jitter: 0 } };

export type Bench = ReturnType<typeof bench>;

/** One scheduler with a virtual clock, and the runs that it asked for, to be answered by the test. */
export function bench(adapter: SchedulerAdapter, scheduling: Partial<SchedulingOptions> = {}) {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const logger = recordingLogger();
  const runs: Run[] = [];
  const declared = new Map([[CONTROLLER, schedulingOptions.parse({ ...DEFAULTS, ...scheduling })]]);
  const options: SchedulerOptions = {
    controllers: declared,
    clock,
    logger,
    random: () => 0.5,
    invoker: {
      invoke: (request) =>
        new Promise((resolve, reject) => {
          runs.push({ request, answer: (answer) => resolve(answer as ReconcileAnswer), fail: reject });
        }),
    },
  };
  let scheduler = adapter.open(options);
  return {
    clock,
    logger,
    runs,
    remoteRuns: adapter.remoteRuns ?? false,
    get scheduler() {
      return scheduler;
    },
    accept: (...triggers: Trigger[]) => scheduler.accept("home", triggers),
    async answer(index: number, answer: unknown) {
      runs[index]!.answer(answer);
      await clock.settle();
    },
    /** By default with a 503 that our own code wrote, so that no lease stands. */
    async refuse(index: number, refusal: Partial<Refusal> = {}) {
      const all = { status: 503, sent: true, ours: true, ...refusal };
      runs[index]!.fail(new InvocationRefused("the function refuses", all));
      await clock.settle();
    },
    /** The names of the keys that have run, in order. */
    names: () => runs.map(({ request }) => request.key.name),
    /** By default the next process declares the same controller. */
    async restart(controllers: SchedulerOptions["controllers"] = declared) {
      adapter.crash();
      scheduler = adapter.open({ ...options, controllers });
      await clock.settle();
    },
  };
}

/** What the parts of the suite are made with. */
export type Suite = {
  /** Opens an adapter of its own for a test. */
  start: (scheduling?: Partial<SchedulingOptions>) => Bench;
  test: (name: string, run: () => Promise<void>) => void;
  /** Whether what it holds survives the process. */
  durable: boolean;
};
