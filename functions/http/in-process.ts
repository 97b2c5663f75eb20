import type { Hono } from "hono";
import type { IngressEnv } from "./ingress-env.ts";

/** Stands in the bindings of a request that never left this process. Nothing that comes over a network can set it. */
const SENDER: unique symbol = Symbol("the cluster whose embedded relay sends");

export type InProcess = { [SENDER]?: string };

/**
 * The door for a relay in the same process: there is no hop to sign (X1), and a signature would cost a millisecond.
 * @param cluster whose keys it may trigger (X2).
 * @example startRelay({ cluster: "home", ingress: inProcess(ingress, "home"), secrets: [], … })
 */
export function inProcess(
  ingress: Hono<IngressEnv>,
  cluster: string,
): { fetch(path: string, init: RequestInit): Promise<Response> } {
  return { fetch: async (path, init) => ingress.request(path, init, { [SENDER]: cluster }) };
}

/** The cluster of the embedded relay that sends, if one does. */
export function embeddedSender(bindings: InProcess | undefined): string | undefined {
  return bindings?.[SENDER];
}
