import type { SchedulingOptions } from "../../../functions/contract/index.ts";
import type { Controller } from "../../../functions/controller/controller.ts";
import type { Scheduler } from "../../../functions/ports/index.ts";
import type { ObjectStorage } from "../../cloudflare-platform.ts";
import { type AlarmClock, createAlarmClock } from "../../scheduler/alarm-clock.ts";
import { type DurableObjectSchedulerOptions, openDurableObjectScheduler } from "../../scheduler/durable-object.ts";
import { isOneForAll, markListed, openTables } from "../../scheduler/object-tables.ts";
import { systemClock } from "../system-clock.ts";
import { declared } from "./deployment.ts";
import { type Loopback, loopbackInvoker } from "./loopback.ts";
import { type Bindings, type ClusterOptions, clustersOf, startsPerEventOf } from "./options.ts";
import type { ObjectRequest } from "./remote-scheduler.ts";
import { workerLogger } from "./worker-logger.ts";

/** What is used of a Durable Object's `ctx`. */
export interface ObjectState {
  readonly storage: ObjectStorage;
  readonly exports: object;
  blockConcurrencyWhile<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * The Durable Object that holds a cluster's scheduler. A Worker exports it beside its `createWorker`, and `wrangler.toml`
 * binds it as `SLUICE_SCHEDULER` and lists it under `new_sqlite_classes`.
 * @example export { SchedulerObject } from "sluice/cloudflare";
 */
export class SchedulerObject {
  readonly #ctx: ObjectState;
  readonly #env: unknown;
  #clock!: AlarmClock;
  #scheduler: Scheduler | undefined;

  constructor(ctx: ObjectState, env: unknown) {
    this.#ctx = ctx;
    this.#env = env;
    const { storage } = ctx;
    // Nothing is asked of the object before it knows its alarm.
    void ctx.blockConcurrencyWhile(async () => {
      if (isOneForAll(storage)) {
        await storage.deleteAlarm();
        await storage.deleteAll();
      }
      this.#clock = createAlarmClock(
        { ...systemClock, monotonic: forwardOnly(() => Date.now()) },
        (at) => void storage.setAlarm(at),
        await storage.getAlarm(),
      );
    });
  }

  /** Takes triggers from the Worker: nobody else reaches it. Durable once this is answered. */
  async fetch(request: Request): Promise<Response> {
    const { cluster, triggers } = (await request.json()) as ObjectRequest;
    try {
      return Response.json(await this.#open(cluster)!.accept(cluster, triggers));
    } catch {
      return new Response(null, { status: 503 }); // the scheduler has logged why
    }
  }

  /**
   * Does what is due and sets the next alarm, without waiting for the runs: another alarm could not fire meanwhile. It never
   * throws, since the platform drops an alarm that has thrown 7 times.
   */
  async alarm(): Promise<void> {
    const scheduler = this.#open();
    this.#clock.fired();
    try {
      await scheduler?.wake("");
    } catch {
      // The scheduler has logged why, and set the alarm for its next try.
    }
  }

  #open(cluster?: string): Scheduler | undefined {
    const { storage } = this.#ctx;
    if (!this.#scheduler) {
      this.#scheduler = openDurableObjectScheduler(storage, (own) => this.#optionsFor(own), cluster);
      void this.#list();
    }
    return this.#scheduler;
  }

  /** S17: an object cannot be found by its platform. So the name of each cluster that ever had one is a value in KV. */
  async #list(): Promise<void> {
    const { storage } = this.#ctx;
    const tables = openTables(storage);
    if (!tables || tables.isListed) return;
    try {
      await (this.#env as Bindings).SLUICE_KV.put(`shards:${tables.cluster}`, "1");
      markListed(storage);
    } catch {
      // It is tried again when the object is loaded next.
    }
  }

  #optionsFor(cluster: string): DurableObjectSchedulerOptions {
    const { options, steps } = declared();
    const controllers = (options.controllers as readonly Controller[]).map(
      ({ name, scheduling }): [string, SchedulingOptions] => [name, scheduling],
    );
    const clusters = clustersOrNone(this.#env);
    const isDeclared = clusters === undefined || clusters.some(({ name }) => name === cluster);
    return {
      controllers: new Map(controllers),
      clusters: new Set(isDeclared ? [cluster] : []),
      invoker: loopbackInvoker((this.#ctx.exports as { default: Loopback }).default),
      clock: this.#clock,
      logger: workerLogger(
        options.logLevel,
        clusters?.flatMap(({ secrets }) => secrets),
      ),
      startsPerEvent: startsPerEventOf(options),
      ...(steps && { steps }),
    };
  }
}

/** Settings that are wrong stop the Worker's ingress, which says so. They park nothing of what is scheduled (S17). */
function clustersOrNone(env: unknown): readonly ClusterOptions[] | undefined {
  try {
    return clustersOf(declared().options, env);
  } catch {
    return undefined;
  }
}

/**
 * The steps forward of a clock, added up: the nearest to a monotonic clock that Workers have, whose `performance.now()` is
 * the wall clock. A leap forward ends leases early (S18).
 */
function forwardOnly(now: () => number): () => number {
  let last = now();
  let elapsed = 0;
  return () => {
    const at = now();
    elapsed += Math.max(0, at - last);
    last = at;
    return elapsed;
  };
}
