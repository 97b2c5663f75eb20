import { createGatewayTransport } from "../../../functions/kube/gateway-transport.ts";
import type { KubeTransport, Logger } from "../../../functions/ports/index.ts";
import { systemClock } from "../system-clock.ts";
import { connectKube, credentialSource, hiding } from "./kube-config/index.ts";
import { type ClusterOptions, relayOf } from "./options.ts";

/** A cluster with its way to the API server. */
export type Cluster = {
  name: string;
  /** What a relay apart signs with. */
  secrets: readonly string[];
  embedded: boolean;
  /** The way for the runs of a controller, which a gateway asks for; without one, for the relay in this process. */
  transportOf(controller?: string): KubeTransport;
  close(): Promise<void>;
};

/**
 * Opens the way to a cluster: by its gateway, or with credentials of its own.
 * @param hidden its secrets and its tokens, also those of a later rotation, join these texts, which no log and no error shows.
 * @throws Error where the credentials cannot be read or are of a kind that is not supported.
 */
export async function connect(options: ClusterOptions, hidden: string[], logger: Logger): Promise<Cluster> {
  const { name, kubeconfig, gateway, secrets = [] } = options;
  const cluster = { name, secrets, embedded: relayOf(options) === "embedded" };
  for (const secret of secrets) if (!hidden.includes(secret)) hidden.push(secret);
  if (gateway !== undefined) {
    const common = { url: gateway, cluster: name, secrets, clock: systemClock };
    return {
      ...cluster,
      transportOf: (controller = "") => createGatewayTransport({ ...common, controller }),
      async close() {},
    };
  }
  const { transport: own } = options;
  if (own) return { ...cluster, transportOf: () => own, async close() {} };
  const env = kubeconfig === undefined ? process.env : { ...process.env, KUBECONFIG: kubeconfig };
  const transport = await connectKube(hiding(credentialSource(env), hidden), { logger });
  return { ...cluster, transportOf: () => transport, close: () => transport.close() };
}
