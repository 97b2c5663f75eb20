/**
 * The controllers of the cluster tests as a Worker to be killed in workerd. It says what it does in its log: runs, keys that
 * run twice at once, and, by a request that is not answered before it may go on, the steps that it reaches.
 * @module
 */
import { composeWorker } from "../../../adapters/runtime/cloudflare/create-worker.ts";
import type { Bindings } from "../../../adapters/runtime/cloudflare/options.ts";
import type { Controller } from "../../../functions/controller/controller.ts";
import { controllersOf, newRecorder } from "../loop/widgets.ts";

export { SchedulerObject } from "../../../adapters/runtime/cloudflare/scheduler-object.ts";

type Env = Bindings & { GATEWAY_URL: string; SLUICE_SECRET: string };

/** Settled when this is bundled. */
declare const DEADLINE_MS: number;
declare const STEPS_URL: string;

const recorder = newRecorder();
const say = (line: object) => console.log(JSON.stringify(line));
const { runs, overlaps } = recorder;
runs.push = (...more) => {
  for (const run of more) say({ run });
  return Array.prototype.push.apply(runs, more);
};
overlaps.push = (...more) => {
  for (const overlap of more) say({ overlap });
  return Array.prototype.push.apply(overlaps, more);
};

const controllers = controllersOf(recorder) as Controller<Env>[];

export default composeWorker<Env>(
  {
    controllers: controllers.map((each) => ({ ...each, scheduling: { ...each.scheduling, deadlineMs: DEADLINE_MS } })),
    clusters: (env) => [{ name: "home", gateway: env.GATEWAY_URL, secrets: [env.SLUICE_SECRET] }],
    logLevel: "error",
  },
  {
    async reach(step) {
      if (STEPS_URL !== "") await (await fetch(STEPS_URL, { method: "POST", body: step })).text();
    },
  },
);
