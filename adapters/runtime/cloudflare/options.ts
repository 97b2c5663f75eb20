import * as z from "zod";
import type { Controller } from "../../../functions/controller/controller.ts";
import { anyFunction, checkShape, optionsOf } from "../../../functions/controller/names.ts";
import type { KvNamespace, ObjectNamespace } from "../../cloudflare-platform.ts";
import type { LogLevel } from "../json-logger.ts";
import * as shapes from "../shapes.ts";

/** What `wrangler.toml` binds for Sluice. A Worker's own `Env` extends it. */
export type Bindings = {
  /** The Durable Object of the class `SchedulerObject`. */
  SLUICE_SCHEDULER: ObjectNamespace;
  /** Failure records, and the checkpoints of relays. */
  SLUICE_KV: KvNamespace;
};

/** One cluster that the controllers look after. */
export type ClusterOptions = {
  /** A DNS label: part of every key, so it must never change. */
  name: string;
  /** Where the relay's gateway is, as this Worker reaches it: an http or https URL. */
  gateway: string;
  /**
   * What the relay signs triggers with, and this Worker what it asks of the gateway: `whsec_` and 24 to 64 bytes in base64.
   * Several while one is being replaced.
   */
  secrets: readonly string[];
};

export type WorkerOptions<Env extends Bindings, Context extends object> = {
  // biome-ignore lint/suspicious/noExplicitAny: a controller takes only objects of its own kind
  controllers: readonly Controller<Env, Context, any>[];
  clusters: (env: Env) => readonly ClusterOptions[];
  /** What runs get beside `kube`: the user's own dependencies. Made for each run, as a Worker's connections belong to one. */
  context?: (env: Env) => Context;
  /**
   * Most runs, 1 to 1,000, that one batch of triggers or one alarm starts; the next alarm starts more at once. Default 25:
   * the platform allows 32 invocations of Workers a request.
   */
  startsPerEvent?: number;
  /** Default `info`. */
  logLevel?: LogLevel;
};

const STARTS_PER_EVENT = 25;
const STARTS = "must be a whole number from 1 to 1000";

const workerShape = optionsOf("createWorker", {
  controllers: shapes.controllers,
  clusters: anyFunction,
  context: shapes.context,
  startsPerEvent: z.int(STARTS).min(1, STARTS).max(1_000, STARTS).optional(),
  logLevel: shapes.logLevel,
});

const clustersShape = z.array(
  optionsOf("a cluster", {
    name: shapes.clusterName,
    gateway: shapes.gateway,
    secrets: shapes.secrets.min(1, "must have at least 1"),
  }),
  shapes.NO_LIST_OF_CLUSTERS,
);

/** @throws TypeError naming the field that is wrong. */
export function checkOptions<Env extends Bindings, Context extends object>(options: WorkerOptions<Env, Context>): void {
  checkShape(workerShape, options);
}

export function startsPerEventOf({ startsPerEvent = STARTS_PER_EVENT }: { startsPerEvent?: number }): number {
  return startsPerEvent;
}

/**
 * The clusters of a deployment, checked.
 * @throws TypeError naming the field that is wrong. It quotes no secret.
 */
export function clustersOf<Env>(
  options: { clusters: (env: Env) => readonly ClusterOptions[] },
  env: Env,
): readonly ClusterOptions[] {
  const clusters = options.clusters(env);
  checkShape(clustersShape, clusters, "", "clusters");
  shapes.checkNames(clusters);
  return clusters;
}
