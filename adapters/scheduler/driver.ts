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
  type ParkedLine,
  type Scheduler,
  type Steps,
} from "../../functions/ports/index.ts";
import { type Decision, type Input, type Now, step } from "./core.ts";
import type { Entry } from "./entry.ts";
import { lineOf } from "./line.ts";
import { logNote } from "./log-note.ts";
import { type LogicalTime, startTime, tick } from "./logical-time.ts";
import type { LineName } from "./notes.ts";
import { type Limits, State } from "./state.ts";
import type { Store } from "./store.ts";
import { parkedLines, viewOf } from "./view.ts";
import { earlier, type Wakes, wakesOf } from "./wake.ts";

export type SchedulerOptions = {
  /** What each declared controller asks of the scheduler. */
  controllers: ReadonlyMap<string, SchedulingOptions>;
  /** The declared clusters. */
  clusters: ReadonlySet<string>;
  invoker: Invoker;
  clock: Clock;
  logger: Logger;
  /** in [0, 1), for jitter. Default `Math.random`. */
  random?: () => number;
  limits?: Partial<Limits>;
  steps?: Steps;
};

/** What differs between the places where a driver runs. */
export type Host = {
  /** When to work off what was gathered; whatever comes before joins the same commit. */
  defer: (work: () => void) => void;
  /**
   * Whether runs end with this process: then the leases found at load have ended (S5), and a run may start beside the commit
   * of its trigger (S3).
   */
  runsInProcess: boolean;
  /** Whether it waits for the first event, which is about to come, instead of looking for work at once. */
  opensByEvent?: boolean;
  /** A timer for the end of a lease, which may be set only once a run takes long, where setting one costs. Default: the clock's. */
  setLeaseTimer?: (delayMs: number | null, callback: () => void) => void;
  /** Most runs that one batch of triggers, or one wake-up, may start; what is left is due at once. Default: no limit. */
  startsPerEvent?: number;
};

/** How long a failed commit waits before the next try. */
const COMMIT_RETRY_MS = 1_000;
const RETRY: Wakes = { startInMs: COMMIT_RETRY_MS, leaseInMs: null };
/** After a load a lease is durable before its run starts, so that whoever finds it knows what ended the process (S3, S6). */
const CAREFUL_FOR_MS = 60_000;
/** Most keys where a platform sets no limit of its own: their state takes some 600 bytes each (S21). */
const MOST_KEYS = 1_000_000;
/** Most runs at once in a process (S12). */
const MOST_RUNNING = 1_000;

type Waiter = {
  inputs: readonly Input[];
  resolve: (accepted: Accepted, decision: Decision) => void;
  reject: (error: unknown) => void;
};

/** Drives the core over a store: gathers inputs, decides, has it committed, answers, and starts runs. */
export function createDriver(store: Store, options: SchedulerOptions, host: Host): Scheduler {
  return new Driver(store, options, host);
}

class Driver implements Scheduler {
  readonly flags: Scheduler["flags"];
  readonly #store: Store;
  readonly #options: SchedulerOptions;
  readonly #host: Host;
  readonly #state: State;
  readonly #carefulUntil: number;
  #time: LogicalTime | undefined;
  #inputs: Input[] = [];
  #waiters: Waiter[] = [];
  #deferred = false;
  #startsLeft: number;
  #cancelTimer: () => void = () => {};
  #mode: "running" | "draining" | "closed" = "running";
  /** Whether the store could not commit last. Until it can nothing starts. */
  #isFailing = false;
  #drained: (() => void)[] = [];

  constructor(store: Store, options: SchedulerOptions, host: Host) {
    this.#store = store;
    this.#options = options;
    this.#host = host;
    this.#startsLeft = host.startsPerEvent ?? Number.POSITIVE_INFINITY;
    this.flags = { durable: store.durable, timer: "platform" };
    const { controllers, clusters, clock, limits } = options;
    this.#state = new State({ controllers, clusters }, { keys: MOST_KEYS, running: MOST_RUNNING, ...limits }, (key) =>
      store.read(key),
    );
    let newest = Math.max(0, ...store.parked().values());
    const rows = function* () {
      for (const row of store.load()) {
        newest = Math.max(newest, row.writtenAt);
        yield row;
      }
    };
    this.#carefulUntil = clock.monotonic() + CAREFUL_FOR_MS;
    this.#state.load(rows(), store.parked(), (entry) => {
      this.#time ??= startTime(clock.now(), newest);
      return leaseEnd(this.#now())(entry);
    });
    this.#time ??= startTime(clock.now(), newest);
    if (host.runsInProcess) this.#inputs.push(...this.#ofRunning("crashed"));
    if (!host.opensByEvent) this.#gather();
  }

  accept(cluster: string, triggers: readonly Trigger[]): Promise<Accepted> {
    const inputs = triggers.map(({ controller, namespace, name, reason, lane, revision }): Input => {
      const ref = { cluster, controller, ...(namespace !== undefined && { namespace }), name };
      return { type: "trigger", ref, reason, lane, revision };
    });
    return this.#commission(inputs, (accepted) => accepted);
  }

  wake(_cluster: string): Promise<Accepted> {
    return this.#commission([], (accepted) => accepted);
  }

  inspect(ref: ObjectRef): EntryView | undefined {
    const entry = this.#state.entry(keyOf(ref));
    return entry && viewOf(this.#state, entry, this.#now().at);
  }

  parked(): ParkedLine[] {
    return parkedLines(this.#state, this.#now().at);
  }

  async deleteParked({ cluster, controller }: LineName): Promise<number> {
    if (this.#state.line(lineOf({ cluster, controller })).options)
      throw new Error(`${controller} is declared in ${cluster}: nothing of it is parked`);
    return this.#commission([{ type: "delete parked", cluster, controller }], (_, { notes }) =>
      notes.reduce(
        (sum, note) =>
          sum +
          (note.type === "deleted" && note.controller === controller && note.cluster === cluster ? note.entries : 0),
        0,
      ),
    );
  }

  size(): { entries: number; running: number } {
    return { entries: this.#state.size, running: this.#state.running().size };
  }

  drain(): Promise<void> {
    if (this.#mode === "running") this.#mode = "draining";
    return new Promise((resolve) => {
      this.#drained.push(resolve);
      this.#gather();
    });
  }

  async close(): Promise<void> {
    if (this.#mode === "closed") return;
    this.#mode = "closed";
    this.#cancelTimer();
    for (const { reject } of this.#waiters.splice(0)) reject(new Error("the scheduler is closed"));
    if (this.#host.runsInProcess) await this.#cutOff();
    this.#store.close();
  }

  #now(): Now {
    this.#time = tick(this.#time!, this.#options.clock.now());
    return { at: this.#time.wall + this.#time.offset, monotonic: this.#options.clock.monotonic() };
  }

  #ofRunning(type: "crashed" | "cut"): Input[] {
    const running = [...this.#state.running()].filter(([, { lease }]) => !lease!.refused);
    return running.map(([key, { lease }]): Input => ({ type, key, lease: lease!.id }));
  }

  /** S6: what an orderly stop ends is no failure. */
  async #cutOff(): Promise<void> {
    const inputs = this.#inputs.filter(({ type }) => type !== "trigger" && type !== "delete parked");
    const decision = this.#decide([...inputs, ...this.#ofRunning("cut")], this.#now());
    try {
      await this.#store.commit(decision);
    } catch (error) {
      this.#options.logger.error("the scheduler's store cannot commit", { error: String(error) });
    }
  }

  /** Resolves when the inputs have been decided on and committed. */
  #commission<T>(inputs: readonly Input[], result: (accepted: Accepted, decision: Decision) => T): Promise<T> {
    if (this.#mode === "closed") return Promise.reject(new Error("the scheduler is closed"));
    this.#inputs.push(...inputs);
    this.#startsLeft = this.#host.startsPerEvent ?? Number.POSITIVE_INFINITY;
    this.#gather();
    return new Promise((resolve, reject) =>
      this.#waiters.push({ inputs, resolve: (...done) => resolve(result(...done)), reject }),
    );
  }

  #gather(): void {
    if (this.#deferred || this.#mode === "closed") return;
    this.#deferred = true;
    this.#host.defer(() => {
      this.#deferred = false;
      if (this.#mode !== "closed") this.#work();
    });
  }

  #decide(inputs: readonly Input[], now: Now): Decision {
    return step(this.#state, inputs, now, {
      random: this.#options.random ?? Math.random,
      leaseId: () => crypto.randomUUID(),
      start: this.#mayStart(),
      mostStarts: this.#startsLeft,
    });
  }

  #mayStart(): boolean {
    return this.#mode === "running" && !this.#isFailing;
  }

  #work(): void {
    const inputs = this.#inputs;
    const waiters = this.#waiters;
    this.#inputs = [];
    this.#waiters = [];
    const now = this.#now();
    const decision = this.#decide(inputs, now);
    let durable: Promise<void>;
    try {
      durable = this.#store.commit(decision);
    } catch (error) {
      this.#refuse(inputs, waiters, error);
      return;
    }
    const isBeside = this.#host.runsInProcess && now.monotonic >= this.#carefulUntil;
    const starts = decision.starts.map((request): Start => {
      const entry = decision.entries.get(keyOf(request.key))!;
      return { request, entry, isBeside: isBeside && entry.lost === 0 };
    });
    const held = starts.filter((start) => !start.isBeside);
    const heldLeases = new Set(held.map(({ request }) => request.lease));
    const endOf = leaseEnd(now);
    // S5: a lease is measured from when its run starts.
    this.#state.apply(decision, (entry) => (heldLeases.has(entry.lease!.id) ? Number.POSITIVE_INFINITY : endOf(entry)));
    this.#startsLeft -= decision.starts.length;
    const { startInMs, leaseInMs } = wakesOf(this.#state, now, this.#mayStart());
    const heldInMs = held.map(({ entry }) => entry.lease!.until - now.at);
    const wakes = { startInMs, leaseInMs: heldInMs.reduce<number | null>(earlier, leaseInMs) };
    const nextWakeInMs = earlier(wakes.startInMs, wakes.leaseInMs);
    this.#wakeIn(this.#isFailing ? { ...wakes, startInMs: earlier(COMMIT_RETRY_MS, startInMs) } : wakes);
    for (const note of decision.notes) logNote(this.#options.logger, note);
    for (const { request, isBeside } of starts) if (isBeside) void this.#run(request);
    durable.then(
      () =>
        this.#committed(held, now, () => answer(waiters, inputs, decision, { nextWakeInMs, epoch: this.#store.epoch })),
      (error) => this.#failed(held, waiters, error),
    );
  }

  #committed(held: readonly Start[], decided: Now, answerWaiters: () => void): void {
    answerWaiters();
    if (this.#mode === "closed") return;
    if (this.#isFailing) {
      this.#isFailing = false;
      this.#gather();
    }
    for (const start of held) this.#startHeld(start, decided);
    if (held.length > 0) this.#wakeIn(wakesOf(this.#state, this.#now(), this.#mayStart()));
    if (
      this.#mode === "draining" &&
      this.#state.running().size === this.#state.fenced.size &&
      this.#inputs.length === 0
    )
      for (const resolve of this.#drained.splice(0)) resolve();
  }

  /** Where runs outlive the process, the rows tell when a lease ends: what the commit took, the run has less (S5). */
  #startHeld({ request, entry }: Start, decided: Now): void {
    const { monotonic } = this.#now();
    const tookMs = this.#host.runsInProcess ? 0 : Math.ceil(monotonic - decided.monotonic);
    const run = { key: keyOf(request.key), lease: request.lease };
    if (tookMs > request.deadlineMs / 2) {
      this.#inputs.push({ type: "cut", ...run });
      this.#gather();
      return;
    }
    this.#state.renew(run.key, run.lease, monotonic + (entry.lease!.until - decided.at) - tookMs);
    void this.#run({ ...request, deadlineMs: request.deadlineMs - tookMs });
  }

  /** S3: what was asked for has to be asked again. It is kept in memory all the same, and runs that have started go on. */
  #failed(held: readonly Start[], waiters: readonly Waiter[], error: unknown): void {
    this.#options.logger.error("the scheduler's store cannot commit", { error: String(error) });
    for (const { reject } of waiters) reject(error);
    if (this.#mode === "closed") return;
    for (const { request } of held) this.#inputs.push({ type: "cut", key: keyOf(request.key), lease: request.lease });
    this.#isFailing = true;
    this.#wakeIn(RETRY);
  }

  /** Nothing was kept: what was asked for is refused, to be asked again; the ends of runs are kept for the next try. */
  #refuse(inputs: readonly Input[], waiters: readonly Waiter[], error: unknown): void {
    this.#options.logger.error("the scheduler's store cannot commit", { error: String(error) });
    this.#inputs.unshift(...inputs.filter(({ type }) => type !== "trigger" && type !== "delete parked"));
    for (const { reject } of waiters) reject(error);
    this.#wakeIn(RETRY);
  }

  #wakeIn({ startInMs, leaseInMs }: Wakes): void {
    this.#cancelTimer();
    this.#cancelTimer = () => {};
    if (this.#mode === "closed") return;
    const { setLeaseTimer } = this.#host;
    const gather = () => this.#gather();
    setLeaseTimer?.(leaseInMs, gather);
    const delayMs = setLeaseTimer ? startInMs : earlier(startInMs, leaseInMs);
    if (delayMs !== null) this.#cancelTimer = this.#options.clock.setTimer(delayMs, gather);
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

type Start = { readonly request: ReconcileRequest; readonly entry: Entry; readonly isBeside: boolean };

function answer(
  waiters: readonly Waiter[],
  inputs: readonly Input[],
  decision: Decision,
  accepted: Omit<Accepted, "full">,
): void {
  const refused = new Set([...decision.full].map((index) => inputs[index]));
  for (const { inputs: own, resolve } of waiters) {
    const full = own.flatMap((input, index) => (refused.has(input) ? [index] : []));
    resolve({ ...accepted, ...(full.length > 0 && { full }) }, decision);
  }
}

/** The rest of a lease, measured from now on by the monotonic clock (S18). */
function leaseEnd(now: Now): (entry: Entry) => number {
  return ({ lease }) => now.monotonic + Math.max(0, (lease?.until ?? now.at) - now.at);
}
