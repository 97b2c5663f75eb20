import type { Server, ServerResponse } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { capConnections } from "./cap-connections.ts";

/** A request has to be there whole within this; a relay's largest takes well under a second. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** How often Node looks who is past these two; its default is 30 s. */
const connectionsCheckingInterval = 1_000;
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

type Handler = (request: Request) => Response | Promise<Response>;

export type ListenOptions = {
  /** 0 takes a free one. */
  port: number;
  /** Default: every address of the machine. */
  host?: string;
  /** Answers are passed on from elsewhere, and may break off in the middle. */
  streams?: boolean;
};

/**
 * Serves a fetch handler over HTTP.
 * @throws Error when the port is taken.
 */
export async function listenOn(
  fetch: Handler,
  { port, host = "0.0.0.0", streams = false }: ListenOptions,
): Promise<Listener> {
  const serverOptions = { connectionsCheckingInterval };
  // A probe of HTTP/1.0 may leave out the host, which the adaptor needs for a URL.
  const hostname = "localhost";
  const server = createAdaptorServer({ fetch: streams ? cutting(fetch) : fetch, hostname, serverOptions }) as Server;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  capConnections(server, MAX_CONNECTIONS);
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

/**
 * Cuts the connection where an answer's body fails. The adaptor would print the error, write it into the body as if it were
 * a part of it, and end the body as if it were whole.
 */
function cutting(fetch: Handler): (request: Request, bindings: unknown) => Promise<Response> {
  return async (request, bindings) => {
    const { outgoing } = bindings as { outgoing: ServerResponse };
    const answer = await fetch(request);
    // Whole: to look at its body would make the adaptor pass it on as a stream.
    if (answer.headers.has("content-length") || !answer.body) return answer;
    const reader = answer.body.getReader();
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          try {
            const { done, value } = await reader.read();
            if (!done) return controller.enqueue(value);
          } catch {
            outgoing.destroy();
          }
          controller.close();
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
    return new Response(body, answer);
  };
}
