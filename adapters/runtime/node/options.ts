import * as z from "zod";
import type { Controller } from "../../../functions/controller/controller.ts";
import { anyFunction, checkShape, oneOf, optionsOf } from "../../../functions/controller/names.ts";
import type { KubeTransport } from "../../../functions/ports/index.ts";
import type { LogLevel } from "../json-logger.ts";
import * as shapes from "../shapes.ts";

/** One cluster that the controllers look after. */
export type ClusterOptions = {
  /** A DNS label: part of every key, so it must never change. */
  name: string;
  /** Path of a kubeconfig. Without one: `KUBECONFIG`, then the Pod's service account, then `~/.kube/config`. */
  kubeconfig?: string;
  /** URL of the gateway of a relay that runs apart: the way to the API server in place of a kubeconfig. */
  gateway?: string;
  /** A way to the API server of one's own, in place of both: `transport` of `sluice/testing`. */
  transport?: KubeTransport;
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
  /** What runs get beside `kube`: the user's own dependencies. Called once, and not async. */
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

const PORT = "must be a whole number from 0 to 65535";
const FOLDER = "must be the path of a folder";
const KUBECONFIG = "must be the path of a kubeconfig, or be left out";

const serveShape = optionsOf("serve", {
  controllers: shapes.controllers,
  clusters: anyFunction,
  context: shapes.context,
  env: z.unknown().optional(),
  stateDir: z.string(FOLDER).min(1, FOLDER),
  listen: optionsOf("listen", {
    port: z.int(PORT).min(0, PORT).max(65_535, PORT),
    host: z.string("must be a text").min(1, "must not be empty").optional(),
  }).optional(),
  logLevel: shapes.logLevel,
});

const clustersShape = z.array(
  optionsOf("a cluster", {
    name: shapes.clusterName,
    kubeconfig: z.string(KUBECONFIG).min(1, KUBECONFIG).optional(),
    gateway: shapes.gateway.optional(),
    transport: z.custom<KubeTransport>(isTransport, "must have a method fetch").optional(),
    relay: oneOf("embedded", "apart").optional(),
    secrets: shapes.secrets.optional(),
  }),
  shapes.NO_LIST_OF_CLUSTERS,
);

/**
 * The clusters of a deployment, once it and all other options are checked.
 * @throws TypeError naming the field that is wrong. It quotes no secret.
 */
export function clustersOf<Env, Context extends object>(
  options: ServeOptions<Env, Context>,
  env: Env,
): readonly ClusterOptions[] {
  checkShape(serveShape, options);
  const clusters = options.clusters(env);
  checkShape(clustersShape, clusters, "", "clusters");
  shapes.checkNames(clusters);
  for (const [index, cluster] of clusters.entries()) {
    const { gateway, kubeconfig, transport, secrets = [] } = cluster;
    const relay = relayOf(cluster);
    const field = `clusters[${index}]`;
    if (gateway !== undefined && kubeconfig !== undefined)
      throw new TypeError(`${field}.kubeconfig: must be left out where there is a gateway`);
    if (transport !== undefined && (gateway !== undefined || kubeconfig !== undefined))
      throw new TypeError(`${field}.transport: must be the only way to the API server, without kubeconfig and gateway`);
    if (gateway !== undefined && relay === "embedded")
      throw new TypeError(`${field}.relay: must be "apart" where there is a gateway, since the relay serves it`);
    if (relay === "apart" && secrets.length === 0)
      throw new TypeError(`${field}.secrets: a relay that runs apart needs at least 1`);
    if (relay === "apart" && !options.listen)
      throw new TypeError(`listen: must be set where a relay runs apart (${field})`);
  }
  return clusters;
}

function isTransport(value: unknown): boolean {
  return typeof (value as Partial<KubeTransport> | null)?.fetch === "function";
}
