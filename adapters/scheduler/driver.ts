import {
  keyOf,
  type ObjectRef,
  type ReconcileRequest,
  reconcileAnswer,
  type SchedulingOptions,
  type Trigger,
} from "../../functions/contract/index.ts";
import {
  type Accepted,
  type Clock,
  type EntryView,
  InvocationRefused,
  type Invoker,
  type Logger,
  type Scheduler,
  type Steps,
} from "../../functions/ports/index.ts";
import { type Decision, type Input, type Now, step, wakeInMs } from "./core.ts";
import type { Entry } from "./entry.ts";
import { logNote } from "./log-note.ts";
import { type LogicalTime, startTime, tick } from "./logical-time.ts";
import { type Changes, State } from "./state.ts";
import type { Store } from "./store.ts";
import { viewOf } from "./view.ts";

export type SchedulerOptions = {
  /** What each declared controller asks of the scheduler. */
  controllers: ReadonlyMap<string, SchedulingOptions>;
  invoker: Invoker;
  clock: Clock;
  logger: Logger;
  /** in [0, 1), for jitter. Default `Math.random`. */
  random?: () => number;
  steps?: Steps;
};

/** What differs between the places where a driver runs. */
export type Host = {
  /** When to work off what was gathered, in `restMs` or later; whatever comes before joins the same commit. */
  defer: (work: () => void, restMs: number) => void;
  /** Whether runs go on when this process ends: then the leases found at load stand (S5). */
  remoteRuns?: boolean;
  /** Whether it waits for the first event, which is about to come, instead of looking for work at once. */
  opensByEvent?: boolean;
  /** Most runs that one batch of triggers, or one wake-up, may start; what is left is due at once. Default: no limit. */
  startsPerEvent?: number;
};

/** How long a failed commit of answers waits before the next try. */
const COMMIT_RETRY_MS = 1_000;

/**
 * A commit blocks the process. Before the next one it rests for this many times as long, so that under load a commit serves
 * more keys instead of taking most of the time; an idle scheduler commits at once.
 */
const COMMIT_REST = 4;
/** One slow `fsync` delays nobody for longer. */
const LONGEST_REST_MS = 5;

type Waiter = { resolve: (accepted: Accepted, decision: Decision) => void; reject: (error: unknown) => void };

/**
 * Drives the core over a store that commits at once: gathers inputs, decides, commits, and only then applies, answers and
 * starts runs. Where runs end with the process, leases found at load are settled as runs that never answered (S5, S6).
 */
export function createDriver(store: Store, options: SchedulerOptions, host: Host): Scheduler {
  return new Driver(store, options, host);
}

class Driver implements Scheduler {
  readonly flags: Scheduler["flags"];
  readonly #store: Store;
  readonly #options: SchedulerOptions;
  readonly #host: Host;
  readonly #state: State;
  #time: LogicalTime;
  #inputs: Input[] = [];
  #waiters: Waiter[] = [];
  #deferred = false;
  #restUntil = 0;
  #startsLeft: number;
  #cancelTimer: () => void = () => {};
  #mode: "running" | "draining" | "closed" = "running";
  #drained: (() => void)[] = [];

  constructor(store: Store, options: SchedulerOptions, host: Host) {
    this.#store = store;
    this.#options = options;
    this.#host = host;
    this.#startsLeft = host.startsPerEvent ?? Number.POSITIVE_INFINITY;
    this.flags = { durable: store.durable, timer: "platform" };
    this.#state = new State(options.controllers);
    const rows = new Map<string, Entry>(store.load());
    const newest = [...rows.values()].reduce((most, { writtenAt }) => Math.max(most, writtenAt), 0);
    this.#time = startTime(options.clock.now(), newest);
    const now = this.#now();
    this.#state.load(rows, leaseEnd(now));
    for (const [key, { lease }] of this.#state.entries)
      if (lease && !lease.refused && !host.remoteRuns)
        this.#inputs.push({ type: "lost", key, lease: lease.id, error: "the process ended during the run" });
    if (!host.opensByEvent) this.#gather();
  }

  accept(cluster: string, triggers: readonly Trigger[]): Promise<Accepted> {
    const inputs = triggers.map(({ controller, namespace, name, reason, lane, revision }): Input => {
      const ref = { cluster, controller, ...(namespace !== undefined && { namespace }), name };
      return { type: "trigger", ref, reason, lane, revision };
    });
    return this.#commission(inputs, (accepted) => accepted);
  }

  wake(): Promise<Accepted> {
    return this.#commission([], (accepted) => accepted);
  }

  inspect(ref: ObjectRef): EntryView | undefined {
    const entry = this.#state.entries.get(keyOf(ref));
    return entry && viewOf(this.#state, entry, this.#now().at);
  }

  parked(): EntryView[] {
    const { at } = this.#now();
    const parked = [...this.#state.entries.values()].filter(({ parkedAt }) => parkedAt !== null);
    return parked.map((entry) => viewOf(this.#state, entry, at));
  }

  async deleteParked(controller: string): Promise<number> {
    if (this.#options.controllers.has(controller))
      throw new Error(`${controller} is declared: nothing of it is parked`);
    return this.#commission([{ type: "delete parked", controller }], (_, { notes }) =>
      notes.reduce(
        (sum, note) => sum + (note.type === "deleted" && note.controller === controller ? note.entries : 0),
        0,
      ),
    );
  }

  size(): { entries: number; running: number } {
    let running = 0;
    for (const queue of this.#state.leases()) running += queue.size;
    return { entries: this.#state.entries.size, running };
  }

  drain(): Promise<void> {
    if (this.#mode === "running") this.#mode = "draining";
    return new Promise((resolve) => {
      this.#drained.push(resolve);
      this.#gather();
    });
  }

  close(): void {
    if (this.#mode === "closed") return;
    this.#mode = "closed";
    this.#cancelTimer();
    for (const { reject } of this.#waiters.splice(0)) reject(new Error("the scheduler is closed"));
    this.#store.close();
  }

  #now(): Now {
    this.#time = tick(this.#time, this.#options.clock.now());
    return { at: this.#time.wall + this.#time.offset, monotonic: this.#options.clock.monotonic() };
  }

  /** Resolves when the inputs have been decided on and committed. */
  #commission<T>(inputs: readonly Input[], result: (accepted: Accepted, decision: Decision) => T): Promise<T> {
    if (this.#mode === "closed") return Promise.reject(new Error("the scheduler is closed"));
    this.#inputs.push(...inputs);
    this.#startsLeft = this.#host.startsPerEvent ?? Number.POSITIVE_INFINITY;
    this.#gather();
    return new Promise((resolve, reject) =>
      this.#waiters.push({ resolve: (accepted, decision) => resolve(result(accepted, decision)), reject }),
    );
  }

  #gather(): void {
    if (this.#deferred || this.#mode === "closed") return;
    this.#deferred = true;
    const work = () => {
      this.#deferred = false;
      if (this.#mode !== "closed") this.#work();
    };
    this.#host.defer(work, this.#restUntil - this.#options.clock.monotonic());
  }

  #work(): void {
    const inputs = this.#inputs;
    const waiters = this.#waiters;
    this.#inputs = [];
    this.#waiters = [];
    const now = this.#now();
    const decision = step(this.#state, inputs, now, {
      random: this.#options.random ?? Math.random,
      leaseId: () => crypto.randomUUID(),
      start: this.#mode === "running",
      mostStarts: this.#startsLeft,
    });
    try {
      if (decision.changes.size > 0) this.#commit(decision.changes);
    } catch (error) {
      this.#refuse(inputs, waiters, error);
      return;
    }
    this.#state.apply(decision, leaseEnd(now));
    this.#startsLeft -= decision.starts.length;
    const nextWakeInMs = wakeInMs(this.#state, now, this.#mode === "running");
    this.#wakeIn(nextWakeInMs);
    for (const { resolve } of waiters) resolve({ nextWakeInMs, epoch: this.#store.epoch }, decision);
    for (const note of decision.notes) logNote(this.#options.logger, note);
    this.#start(decision);
    if (this.#mode === "draining" && this.size().running === this.#state.fenced.size)
      for (const resolve of this.#drained.splice(0)) resolve();
  }

  #commit(changes: Changes): void {
    const { clock } = this.#options;
    const begun = clock.monotonic();
    this.#store.commit(changes);
    const end = clock.monotonic();
    this.#restUntil = end + Math.min(LONGEST_REST_MS, COMMIT_REST * (end - begun));
  }

  /** Nothing was kept: what was asked for is refused, to be asked again; the ends of runs are kept for the next try. */
  #refuse(inputs: readonly Input[], waiters: readonly Waiter[], error: unknown): void {
    this.#options.logger.error("the scheduler's store cannot commit", { error: String(error) });
    this.#inputs.unshift(...inputs.filter(({ type }) => type !== "trigger" && type !== "delete parked"));
    for (const { reject } of waiters) reject(error);
    this.#wakeIn(COMMIT_RETRY_MS);
  }

  #wakeIn(delayMs: number | null): void {
    this.#cancelTimer();
    this.#cancelTimer = () => {};
    if (delayMs !== null && this.#mode !== "closed")
      this.#cancelTimer = this.#options.clock.setTimer(delayMs, () => this.#gather());
  }

  #start({ starts }: Decision): void {
    for (const request of starts) void this.#run(request);
  }

  async #run(request: ReconcileRequest): Promise<void> {
    const end = await this.#endOf(request);
    await this.#options.steps?.reach("run done, answer not stored");
    this.#inputs.push(end);
    this.#gather();
  }

  async #endOf(request: ReconcileRequest): Promise<Input> {
    const run = { key: keyOf(request.key), lease: request.lease };
    try {
      const { success, data, error } = reconcileAnswer.safeParse(await this.#options.invoker.invoke(request));
      if (success) return { type: "settle", ...run, answer: data };
      return { type: "lost", ...run, error: `the answer is malformed: ${error.issues[0]?.path.join(".")}` };
    } catch (error) {
      if (error instanceof InvocationRefused) return { type: "refuse", ...run, refusal: error };
      this.#options.logger.error("a run was not answered", { key: run.key, error: String(error) });
      return { type: "lost", ...run, error: "the run was not answered" };
    }
  }
}

/** The rest of a lease, measured from now on by the monotonic clock (S18). */
function leaseEnd(now: Now): (entry: Entry) => number {
  return ({ lease }) => now.monotonic + Math.max(0, (lease?.until ?? now.at) - now.at);
}
