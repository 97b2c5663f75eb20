import { type Input, type Note, step, wakeInMs } from "../../adapters/scheduler/core.ts";
import type { Entry } from "../../adapters/scheduler/entry.ts";
import { State } from "../../adapters/scheduler/state.ts";
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

export function refOf(name: string, controller: string = CONTROLLER): ObjectRef {
  return { cluster: "home", controller, namespace: "default", name };
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

/** The core with its state and a time of its own, without store, timers and jitter: what a rule's test drives. */
export class Shard {
  state: State;
  readonly notes: Note[] = [];
  now = 1_000_000;
  readonly #controllers: ReadonlyMap<string, SchedulingOptions>;
  #leases = 0;

  constructor(options: Partial<SchedulingOptions> = {}, name: string = CONTROLLER) {
    this.#controllers = new Map([[name, schedulingOptions.parse(options)]]);
    this.state = new State(this.#controllers);
  }

  /** Another process loads the rows; by default it declares the same controllers. Leases stand. What starts at once. */
  reload(declared = [...this.#controllers.keys()], read = (row: Entry): Entry => row): ReconcileRequest[] {
    const rows = [...this.state.entries].map(([key, row]): [string, Entry] => [key, read(row)]);
    this.state = new State(new Map([...this.#controllers].filter(([name]) => declared.includes(name))));
    this.state.load(new Map(rows), ({ lease }) => lease?.until ?? this.now);
    return this.step();
  }

  /** One step at the present instant: what starts. */
  step(...inputs: Input[]): ReconcileRequest[] {
    const now = { at: this.now, monotonic: this.now };
    const options = { random: () => 0.5, leaseId: () => `lease-${++this.#leases}`, start: true };
    const decision = step(this.state, inputs, now, options);
    this.notes.push(...decision.notes);
    this.state.apply(decision, ({ lease }) => lease?.until ?? this.now);
    return decision.starts;
  }

  trigger(name: string, fields: Partial<Trigger> = {}): ReconcileRequest[] {
    const { reason, lane, controller, revision } = triggerOf(name, fields);
    return this.step({ type: "trigger", ref: refOf(name, controller), reason, lane, revision });
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

  entry(name: string): Entry | undefined {
    return this.state.entries.get(keyOf(refOf(name)));
  }
}
