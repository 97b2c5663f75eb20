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
  readonly state: State;
  readonly notes: Note[] = [];
  now = 1_000_000;
  #leases = 0;

  constructor(options: Partial<SchedulingOptions> = {}, name: string = CONTROLLER) {
    this.state = new State(new Map([[name, schedulingOptions.parse(options)]]));
  }

  /** One step at the present instant: what starts. */
  step(...inputs: Input[]): ReconcileRequest[] {
    const now = { at: this.now, monotonic: this.now };
    const options = { random: () => 0.5, leaseId: () => `lease-${++this.#leases}`, start: true };
    const { changes, starts, notes } = step(this.state, inputs, now, options);
    this.notes.push(...notes);
    this.state.apply(changes, ({ lease }) => lease?.until ?? this.now);
    return starts;
  }

  trigger(name: string, fields: Partial<Trigger> = {}): ReconcileRequest[] {
    const { reason, lane, controller, revision } = triggerOf(name, fields);
    return this.step({ type: "trigger", ref: refOf(name, controller), reason, lane, revision });
  }

  answer(request: ReconcileRequest, answer: ReconcileAnswer): ReconcileRequest[] {
    return this.step({ type: "settle", key: keyOf(request.key), lease: request.lease, answer });
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
