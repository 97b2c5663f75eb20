import { MAX_RUN_MS, signGatewayCall } from "../contract/index.ts";
import type { Clock, KubeTransport } from "../ports/index.ts";

export type GatewayTransportOptions = {
  /** Where the relay's gateway is; it may have a path, which whoever stands before the gateway takes away again. */
  url: string | URL;
  /** The cluster's name, as its relay knows it. */
  cluster: string;
  /** Who asks: the gateway allows what this controller declared (X2). */
  controller: string;
  /** What requests are signed with; several while one is being replaced. */
  secrets: readonly string[];
  clock: Pick<Clock, "now">;
  /** Default: the platform's. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

/**
 * Reaches an API server through the gateway of a relay, with no credentials of the cluster: each request is signed for this
 * controller and with what its run has left (X1, S5). A refusal of the gateway is an answer, whose body is a problem.
 * @throws TypeError for a URL that is none.
 * @example
 * const transport = createGatewayTransport({ url: env.GATEWAY_URL, cluster: "home", controller: "documents", secrets, clock });
 */
export function createGatewayTransport(options: GatewayTransportOptions): KubeTransport {
  const { cluster, controller, secrets, clock } = options;
  const url = new URL(options.url);
  const root = `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
  const send = options.fetch ?? ((to: string, init: RequestInit) => fetch(to, init));
  const encoder = new TextEncoder();

  return {
    async fetch(path, { method = "GET", headers = {}, body, signal, remainingMs = MAX_RUN_MS } = {}) {
      const bytes = encoder.encode(body);
      const contentType = body === undefined ? "" : (headers["content-type"] ?? "");
      const call = { cluster, controller, method, path, contentType, body: bytes };
      const signed = await signGatewayCall(secrets, call, { id: crypto.randomUUID(), now: clock.now(), remainingMs });
      signal?.throwIfAborted();
      try {
        return await send(`${root}${path}`, {
          method,
          headers: { ...headers, ...signed },
          // Followed, a redirect would carry a signature to somebody else. Workers know no `error` here.
          redirect: "manual",
          ...(body === undefined ? undefined : { body: bytes }),
          ...(signal && { signal }),
        });
      } catch (error) {
        throw signal?.aborted ? signal.reason : new TypeError(`no answer from the gateway ${root}`, { cause: error });
      }
    },
  };
}
