import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";

/** A request has to be there whole within this; a relay's largest takes well under a second. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** Relays are few, and each keeps one connection. */
const MAX_CONNECTIONS = 500;

/** A server that listens. */
export type Listener = {
  url: string;
  /** Takes no new connection. Resolves when those that are under way have ended. */
  close(): Promise<void>;
  /** Ends what is left of them. */
  cut(): void;
};

/**
 * Serves a fetch handler over HTTP.
 * @throws Error when the port is taken.
 */
export async function listenOn(
  fetch: (request: Request) => Response | Promise<Response>,
  { port, host = "0.0.0.0" }: { port: number; host?: string },
): Promise<Listener> {
  const server = createAdaptorServer({ fetch }) as Server;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as { port: number };
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
    cut: () => server.closeAllConnections(),
  };
}
