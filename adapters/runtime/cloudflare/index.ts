/**
 * Sluice on Cloudflare Workers: a Durable Object as the scheduler, Workers KV for failure records, the relay's gateway as
 * the way to the cluster.
 * @module
 */
export { createWorker, type Invocation, type Worker } from "./create-worker.ts";
export type { Bindings, ClusterOptions, WorkerOptions } from "./options.ts";
export { type ObjectState, SchedulerObject } from "./scheduler-object.ts";
