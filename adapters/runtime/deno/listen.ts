import type { Listener, ListenOptions } from "../node/listen.ts";
import { deno } from "./deno.ts";

/**
 * Serves a fetch handler over HTTP. Deno has no limits for slow requests or the number of connections: who is exposed to
 * strangers puts something in front that has.
 * @throws Error when the port is taken.
 */
export async function listenOn(
  fetch: (request: Request) => Response | Promise<Response>,
  { port, host = "0.0.0.0" }: ListenOptions,
): Promise<Listener> {
  const cut = new AbortController();
  let bound = port;
  const onListen = (address: { port: number }) => {
    bound = address.port;
  };
  const server = deno.serve({ port, hostname: host, signal: cut.signal, onListen }, fetch);
  let closing = false;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    close() {
      closing = true;
      return server.shutdown();
    },
    cut() {
      // A server that is being closed cannot be cut: what is left ends with its handler, or with the process.
      if (!closing) cut.abort();
    },
  };
}
