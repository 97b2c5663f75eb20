import { createAdaptorServer } from "@hono/node-server";

/** A server that listens. */
export type Listener = { url: string; close(): Promise<void> };

/**
 * Serves a fetch handler over HTTP.
 * @throws Error when the port is taken.
 */
export async function listenOn(
  fetch: (request: Request) => Response | Promise<Response>,
  { port, host = "0.0.0.0" }: { port: number; host?: string },
): Promise<Listener> {
  const server = createAdaptorServer({ fetch });
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
        if ("closeIdleConnections" in server) server.closeIdleConnections();
      }),
  };
}
