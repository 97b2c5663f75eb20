import { isSecret, label } from "../../../functions/contract/index.ts";
import type { Controller } from "../../../functions/controller/controller.ts";
import type { KvNamespace, ObjectNamespace } from "../../cloudflare-platform.ts";
import type { LogLevel } from "../json-logger.ts";

/** What `wrangler.toml` binds for Sluice. A Worker's own `Env` extends it. */
export type Bindings = {
  /** The Durable Object of the class `SchedulerObject`. */
  SLUICE_SCHEDULER: ObjectNamespace;
  /** Failure records. */
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
const MOST_STARTS_PER_EVENT = 1_000;

/** @throws TypeError naming the field that is wrong. */
export function startsPerEventOf({ startsPerEvent = STARTS_PER_EVENT }: { startsPerEvent?: number }): number {
  if (!Number.isInteger(startsPerEvent) || startsPerEvent < 1 || startsPerEvent > MOST_STARTS_PER_EVENT)
    throw new TypeError(`startsPerEvent: must be a whole number from 1 to ${MOST_STARTS_PER_EVENT}`);
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
  if (clusters.length === 0) throw new TypeError("clusters: must name at least 1");
  for (const [index, { name, gateway, secrets }] of clusters.entries()) {
    const field = `clusters[${index}]`;
    if (!label.safeParse(name).success)
      throw new TypeError(`${field}.name: must be a DNS label: a-z, 0-9 and -, at most 63 characters`);
    if (clusters.findIndex((other) => other.name === name) !== index)
      throw new TypeError(`${field}.name: another cluster is named ${name}`);
    if (!isGateway(gateway))
      throw new TypeError(`${field}.gateway: must be an http or https URL without credentials, query and fragment`);
    if (secrets.length === 0) throw new TypeError(`${field}.secrets: must have at least 1`);
    if (!secrets.every(isSecret))
      throw new TypeError(`${field}.secrets: each must be whsec_ and 24 to 64 bytes in base64`);
  }
  return clusters;
}

function isGateway(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === "";
}
