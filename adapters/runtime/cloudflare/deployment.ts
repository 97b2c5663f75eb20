/**
 * What this Worker declares, known to the class of its Durable Object too: the platform makes an object of that class with
 * nothing but its bindings.
 * @module
 */
import type { Steps } from "../../../functions/ports/index.ts";
import type { Bindings, WorkerOptions } from "./options.ts";

export type Deployment<Env extends Bindings, Context extends object> = {
  options: WorkerOptions<Env, Context>;
  /** For tests only. */
  steps?: Steps;
};

// biome-ignore lint/suspicious/noExplicitAny: one Worker, whose types its createWorker has checked
let deployment: Deployment<any, any> | undefined;

/** @throws TypeError the second time: a Worker has one set of controllers. */
export function declare<Env extends Bindings, Context extends object>(declared: Deployment<Env, Context>): void {
  if (deployment) throw new TypeError("createWorker: called twice in one Worker");
  deployment = declared;
}

/** @throws Error where nothing was declared. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export function declared(): Deployment<any, any> {
  if (!deployment) throw new Error("SchedulerObject: this Worker has no createWorker");
  return deployment;
}
