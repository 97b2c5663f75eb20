import { isSecret, label } from "../../../functions/contract/index.ts";
import type { Controller } from "../../../functions/controller/controller.ts";
import type { LogLevel } from "../json-logger.ts";

/** One cluster that the controllers look after. */
export type ClusterOptions = {
  /** A DNS label: part of every key, so it must never change. */
  name: string;
  /** Path of a kubeconfig. Without one: `KUBECONFIG`, then the Pod's service account, then `~/.kube/config`. */
  kubeconfig?: string;
  /** `embedded`, the default, watches from this process; `apart` waits for a relay that runs elsewhere (`sluice relay`). */
  relay?: "embedded" | "apart";
  /** What a relay that runs apart signs with: `whsec_` and 24 to 64 bytes in base64. Several while one is being replaced. */
  secrets?: readonly string[];
};

export type ServeOptions<Env, Context extends object> = {
  // biome-ignore lint/suspicious/noExplicitAny: a controller takes only objects of its own kind
  controllers: readonly Controller<Env, Context, any>[];
  clusters: (env: Env) => readonly ClusterOptions[];
  /** What runs get beside `kube`: the user's own dependencies. */
  context?: (env: Env) => Context;
  /** Default: `process.env`. */
  env?: Env;
  /** A folder that outlives a restart; the scheduler's file `sluice.db` is in it. Created where absent. */
  stateDir: string;
  /** Where the ingress listens, for relays that run apart. Without it nothing does. Port 0 takes a free one. */
  listen?: { port: number; host?: string };
  /** Default `info`. */
  logLevel?: LogLevel;
};

/**
 * The clusters of a deployment, checked.
 * @throws TypeError naming the field that is wrong. It quotes no secret.
 */
export function clustersOf<Env, Context extends object>(
  options: ServeOptions<Env, Context>,
  env: Env,
): readonly ClusterOptions[] {
  const clusters = options.clusters(env);
  if (clusters.length === 0) throw new TypeError("clusters: must name at least 1");
  for (const [index, { name, relay = "embedded", secrets = [] }] of clusters.entries()) {
    const field = `clusters[${index}]`;
    if (!label.safeParse(name).success)
      throw new TypeError(`${field}.name: must be a DNS label: a-z, 0-9 and -, at most 63 characters`);
    if (clusters.findIndex((other) => other.name === name) !== index)
      throw new TypeError(`${field}.name: another cluster is named ${name}`);
    if (relay !== "embedded" && relay !== "apart") throw new TypeError(`${field}.relay: must be "embedded" or "apart"`);
    if (!secrets.every(isSecret))
      throw new TypeError(`${field}.secrets: each must be whsec_ and 24 to 64 bytes in base64`);
    if (relay === "apart" && secrets.length === 0)
      throw new TypeError(`${field}.secrets: a relay that runs apart needs at least 1`);
    if (relay === "apart" && !options.listen)
      throw new TypeError(`listen: must be set where a relay runs apart (${field})`);
  }
  return clusters;
}
