import { isSecret, label } from "../../../functions/contract/index.ts";
import type { Controller } from "../../../functions/controller/controller.ts";
import type { LogLevel } from "../json-logger.ts";

/** One cluster that the controllers look after. */
export type ClusterOptions = {
  /** A DNS label: part of every key, so it must never change. */
  name: string;
  /** Path of a kubeconfig. Without one: `KUBECONFIG`, then the Pod's service account, then `~/.kube/config`. */
  kubeconfig?: string;
  /** URL of the gateway of a relay that runs apart: the way to the API server in place of a kubeconfig. */
  gateway?: string;
  /**
   * `embedded`, the default without a gateway, watches from this process; `apart` waits for a relay that runs elsewhere
   * (`sluice relay`).
   */
  relay?: "embedded" | "apart";
  /**
   * What a relay that runs apart signs with, and what is signed with for its gateway: `whsec_` and 24 to 64 bytes in base64.
   * Several while one is being replaced.
   */
  secrets?: readonly string[];
};

/** Where the relay of a cluster runs. A gateway lets nobody watch. */
export function relayOf({ gateway, relay = gateway === undefined ? "embedded" : "apart" }: ClusterOptions) {
  return relay;
}

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
  for (const [index, cluster] of clusters.entries()) {
    const { name, gateway, kubeconfig, secrets = [] } = cluster;
    const relay = relayOf(cluster);
    const field = `clusters[${index}]`;
    if (!label.safeParse(name).success)
      throw new TypeError(`${field}.name: must be a DNS label: a-z, 0-9 and -, at most 63 characters`);
    if (clusters.findIndex((other) => other.name === name) !== index)
      throw new TypeError(`${field}.name: another cluster is named ${name}`);
    if (relay !== "embedded" && relay !== "apart") throw new TypeError(`${field}.relay: must be "embedded" or "apart"`);
    if (gateway !== undefined && !isGateway(gateway))
      throw new TypeError(`${field}.gateway: must be an http or https URL without credentials, query and fragment`);
    if (gateway !== undefined && kubeconfig !== undefined)
      throw new TypeError(`${field}.kubeconfig: must be left out where there is a gateway`);
    if (gateway !== undefined && relay === "embedded")
      throw new TypeError(`${field}.relay: must be "apart" where there is a gateway, since the relay serves it`);
    if (!secrets.every(isSecret))
      throw new TypeError(`${field}.secrets: each must be whsec_ and 24 to 64 bytes in base64`);
    if (relay === "apart" && secrets.length === 0)
      throw new TypeError(`${field}.secrets: a relay that runs apart needs at least 1`);
    if (relay === "apart" && !options.listen)
      throw new TypeError(`listen: must be set where a relay runs apart (${field})`);
  }
  return clusters;
}

function isGateway(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === "";
}
