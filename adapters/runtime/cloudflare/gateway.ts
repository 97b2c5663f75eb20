import type { KubeTransport } from "../../../functions/ports/index.ts";
import type { ClusterOptions } from "./options.ts";

/** The way to a cluster's API server for the runs of one controller. */
export function connectGateway({ gateway }: ClusterOptions, _controller: string): KubeTransport {
  const root = gateway.replace(/\/$/, "");
  return { fetch: (path, init) => fetch(`${root}${path}`, init) };
}
