import { type Decision, type Input, step } from "../../adapters/scheduler/core.ts";
import type { Entry } from "../../adapters/scheduler/entry.ts";
import type { Note } from "../../adapters/scheduler/notes.ts";
import { type Limits, type Row, State } from "../../adapters/scheduler/state.ts";
import { wakeInMs } from "../../adapters/scheduler/wake.ts";
import {
  API_VERSION,
  keyOf,
  type ObjectRef,
  type ReconcileAnswer,
  type ReconcileRequest,
  type SchedulingOptions,
  schedulingOptions,
  type Trigger,
} from "../../functions/contract/index.ts";
import type { Refusal } from "../../functions/ports/index.ts";

export const CONTROLLER = "documents";
export const CLUSTER = "home";

export function refOf(name: string, controller: string = CONTROLLER, cluster: string = CLUSTER): ObjectRef {
  return { cluster, controller, namespace: "default", name };
}

export function triggerOf(name: string, fields: Partial<Trigger> = {}): Trigger {
  return { controller: CONTROLLER, namespace: "default", name, reason: "object-updated", lane: "live", ...fields };
}

export const success: ReconcileAnswer = { apiVersion: API_VERSION, outcome: "success", action: { awaitChange: true } };
export const requeue = (requeueAfterMs: number): ReconcileAnswer => ({ ...success, action: { requeueAfterMs } });
export const failure = (fields: { retryAfterMs?: number; uid?: string } = {}): ReconcileAnswer => ({
  apiVersion: API_VERSION,
  outcome: "error",
  error: "it broke",
  ...(fields.retryAfterMs !== undefined && { retryAfterMs: fields.retryAfterMs }),
  ...(fields.uid !== undefined && { observed: { uid: fields.uid, resourceVersion: "1" } }),
});
export const terminal: ReconcileAnswer = { apiVersion: API_VERSION, outcome: "terminal", error: "no" };
export const gone: ReconcileAnswer = { apiVersion: API_VERSION, outcome: "gone" };

/** The names of the keys that start, in order. */
export const names = (runs: readonly ReconcileRequest[]): string[] => runs.map(({ key }) => key.name);

/** What a shard is loaded with. */
type Names = { controllers?: readonly string[]; clusters?: readonly string[] };

/** A trigger of a test, by default in the one declared cluster. */
type Fields = Partial<Trigger> & { cluster?: string };

const NO_LIMIT: Limits = { keys: Number.POSITIVE_INFINITY, running: Number.POSITIVE_INFINITY };

/** The core with its state and a time of its own, without store, timers and jitter: what a rule's test drives. */
export class Shard {
  state: State;
  readonly notes: Note[] = [];
  now = 1_000_000;
  /** Most starts of a step. */
  mostStarts: number = Number.POSITIVE_INFINITY;
  /** Which triggers of the last step were refused, by their places (S21). */
  full: readonly number[] = [];
  /** How many entries and parked lines the last step wrote. */
  written = 0;
  /** How often an entry was read from its row. */
  reads = 0;
  readonly #scheduling: SchedulingOptions;
  readonly #declared: Required<Names>;
  readonly #limits: Limits;
  readonly #rows = new Map<string, Entry>();
  #parked = new Map<string, number>();
  #leases = 0;

  constructor(options: Partial<SchedulingOptions> = {}, declared: Names & { limits?: Partial<Limits> } = {}) {
    const { controllers = [CONTROLLER], clusters = [CLUSTER], limits } = declared;
    this.#scheduling = schedulingOptions.parse(options);
    this.#declared = { controllers, clusters };
    this.#limits = { ...NO_LIMIT, ...limits };
    this.state = this.#stateOf({});
  }

  /** Another process loads the rows; by default it declares the same. Leases stand. What starts at once. */
  reload(declared: Names = {}): ReconcileRequest[] {
    this.#load(declared);
    return this.step();
  }

  /** Another process loads the rows, and the runs ended with the last one. What starts at once. */
  crash(declared: Names = {}): ReconcileRequest[] {
    this.#load(declared);
    return this.step(...this.#ofRunning("crashed"));
  }

  /** The runs are cut off by an orderly stop, and another process loads the rows. What starts at once. */
  stop(): ReconcileRequest[] {
    this.#decide(this.#ofRunning("cut"), false);
    this.#load({});
    return this.step();
  }

  /** One step at the present instant: what starts. */
  step(...inputs: Input[]): ReconcileRequest[] {
    return [...this.#decide(inputs, true).starts];
  }

  trigger(name: string, fields: Fields = {}): ReconcileRequest[] {
    return this.step(inputOf(name, fields));
  }

  /** Triggers of one batch. */
  batch(all: readonly string[], fields: Fields = {}): ReconcileRequest[] {
    return this.step(...all.map((name) => inputOf(name, fields)));
  }

  answer(request: ReconcileRequest, answer: ReconcileAnswer): ReconcileRequest[] {
    return this.step({ type: "settle", key: keyOf(request.key), lease: request.lease, answer });
  }

  /** By default a 503 that our own code answered, so that no lease stands. */
  refuse(request: ReconcileRequest, refusal: Partial<Refusal> = {}): ReconcileRequest[] {
    const { lease, key } = request;
    return this.step({
      ...{ type: "refuse", key: keyOf(key), lease },
      refusal: { status: 503, sent: true, ours: true, ...refusal },
    });
  }

  /** Goes to where the core asked to be woken, and steps there. */
  wake(): ReconcileRequest[] {
    const wait = this.wakeInMs();
    if (wait === null) throw new Error("nothing to wake for");
    this.now += wait;
    return this.step();
  }

  wakeInMs(): number | null {
    return wakeInMs(this.state, { at: this.now, monotonic: this.now });
  }

  entry(name: string, controller?: string, cluster?: string): Entry | undefined {
    return this.state.entry(keyOf(refOf(name, controller, cluster)));
  }

  /** The names of the keys that run. */
  running(): string[] {
    return [...this.state.running().values()].map(({ ref }) => ref.name);
  }

  #decide(inputs: readonly Input[], start: boolean): Decision {
    const now = { at: this.now, monotonic: this.now };
    const { mostStarts } = this;
    const options = { random: () => 0.5, leaseId: () => `lease-${++this.#leases}`, start, mostStarts };
    const decision = step(this.state, inputs, now, options);
    this.notes.push(...decision.notes);
    this.full = [...decision.full];
    this.written = decision.entries.size + decision.parked.size;
    for (const [key, entry] of decision.entries) {
      if (entry) this.#rows.set(key, entry);
      else this.#rows.delete(key);
    }
    for (const [line, at] of decision.parked) {
      if (at === null) this.#parked.delete(line);
      else this.#parked.set(line, at);
    }
    this.state.apply(decision, ({ lease }) => lease?.until ?? this.now);
    return decision;
  }

  #load(declared: Names): void {
    this.state = this.#stateOf(declared);
    this.state.load([...this.#rows].map(rowOf), new Map(this.#parked), ({ lease }) => lease?.until ?? this.now);
  }

  #stateOf({ controllers = this.#declared.controllers, clusters = this.#declared.clusters }: Names): State {
    const scheduling = new Map(controllers.map((name) => [name, this.#scheduling]));
    return new State({ controllers: scheduling, clusters: new Set(clusters) }, this.#limits, (key) => {
      this.reads++;
      return this.#rows.get(key);
    });
  }

  #ofRunning(type: "crashed" | "cut"): Input[] {
    const running = [...this.state.running()].filter(([, { lease }]) => !lease!.refused);
    return running.map(([key, { lease }]): Input => ({ type, key, lease: lease!.id }));
  }
}

export function inputOf(name: string, fields: Fields = {}): Input {
  const { reason, lane, controller, revision } = triggerOf(name, fields);
  return { type: "trigger", ref: refOf(name, controller, fields.cluster), reason, lane, revision };
}

/** Without the entry where a store may leave it out, so that a test sees what is in memory. */
function rowOf([key, entry]: [string, Entry]): Row {
  const { queue, place, writtenAt } = entry;
  const isNeeded = entry.lease !== null || entry.refused !== null || entry.lost > 0;
  return { key, queue, place, writtenAt, ...(isNeeded && { entry }) };
}
