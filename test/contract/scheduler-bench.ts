import type { SchedulerOptions } from "../../adapters/scheduler/driver.ts";
import { createVirtualClock, type VirtualClock } from "../../adapters/testing/virtual-clock.ts";
import {
  type ReconcileAnswer,
  type ReconcileRequest,
  type SchedulingOptions,
  schedulingOptions,
  type Trigger,
} from "../../functions/contract/index.ts";
import { InvocationRefused, type Refusal, type Scheduler } from "../../functions/ports/index.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { CLUSTER, CONTROLLER } from "../support/shard.ts";

/** How an adapter is opened, and opened again after its process was killed. */
export type SchedulerAdapter = {
  open: (options: SchedulerOptions) => Scheduler | Promise<Scheduler>;
  /** Lets go of everything at once, as `kill -9` does; `open` then finds what was committed. */
  crash: () => void | Promise<void>;
  cleanUp: () => void | Promise<void>;
  /** Whether runs go on without the process that started them: their leases then stand (S5). */
  remoteRuns?: boolean;
};

/** Runs a test where its adapter can be opened. */
export type Within = (test: () => Promise<void>) => Promise<void>;

type Run = { request: ReconcileRequest; answer: (answer: unknown) => void; fail: (error: unknown) => void };

/** What a process declares: by default one controller in one cluster. */
export type Declared = {
  controllers?: readonly string[];
  clusters?: readonly string[];
  limits?: SchedulerOptions["limits"];
};

const DEFAULTS = { deadlineMs: 60_000, backoff: { baseMs: 1_000, factor: 2, maxMs: 900_000, jitter: 0 } };

export type Bench = Awaited<ReturnType<typeof bench>>;

/** One scheduler with a virtual clock, and the runs that it asked for, to be answered by the test. */
export async function bench(
  adapter: SchedulerAdapter,
  scheduling: Partial<SchedulingOptions> = {},
  first: Declared = {},
) {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const logger = recordingLogger();
  const runs: Run[] = [];
  const parsed = schedulingOptions.parse({ ...DEFAULTS, ...scheduling });
  const optionsOf = (declared: Declared, process: Process): SchedulerOptions => {
    const { controllers = [CONTROLLER], clusters = [CLUSTER], limits } = { ...first, ...declared };
    return {
      controllers: new Map(controllers.map((name) => [name, parsed])),
      clusters: new Set(clusters),
      clock: adapter.remoteRuns ? clock : process, // an object's alarm outlives it
      logger,
      random: () => 0.5,
      ...(limits && { limits }),
      invoker: {
        invoke: (request) =>
          new Promise((resolve, reject) => {
            if (process.isAlive())
              runs.push({ request, answer: (answer) => resolve(answer as ReconcileAnswer), fail: reject });
          }),
      },
    };
  };
  let alive = processOf(clock);
  let scheduler = await adapter.open(optionsOf({}, alive));
  const reopen = async (declared: Declared) => {
    alive.stop();
    await adapter.crash();
    alive = processOf(clock);
    scheduler = await adapter.open(optionsOf(declared, alive));
    await clock.settle();
  };
  return {
    clock,
    logger,
    runs,
    remoteRuns: adapter.remoteRuns ?? false,
    get scheduler() {
      return scheduler;
    },
    accept: (...triggers: Trigger[]) => scheduler.accept(CLUSTER, triggers),
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
    /** By default the next process declares the same. */
    restart: (declared: Declared = {}) => reopen(declared),
    /** An orderly stop, and the next process. */
    async stopAndStart() {
      await scheduler.close();
      await reopen({});
    },
  };
}

type Process = SchedulerOptions["clock"] & { isAlive: () => boolean; stop: () => void };

/** The clock of one process, whose timers end with it. */
function processOf(clock: VirtualClock): Process {
  let isAlive = true;
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    setTimer: (delayMs, callback) => clock.setTimer(delayMs, () => isAlive && callback()),
    isAlive: () => isAlive,
    stop() {
      isAlive = false;
    },
  };
}

/** What the parts of the suite are made with. */
export type Suite = {
  /** Opens an adapter of its own for a test. */
  start: (scheduling?: Partial<SchedulingOptions>, declared?: Declared) => Promise<Bench>;
  test: (name: string, run: () => Promise<void>) => void;
  /** Whether what it holds survives the process. */
  durable: boolean;
};
