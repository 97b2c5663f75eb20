import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Serves a fetch handler over HTTP on loopback. Closing ends open watches too. */
export async function listen(
  handler: (request: Request) => Promise<Response>,
  port: number,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => void serve(handler, incoming, outgoing));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  handler: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const method = incoming.method ?? "GET";
    const response = await handler(
      new Request(`http://127.0.0.1${incoming.url}`, {
        method,
        headers: Object.entries(incoming.headers).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, String(value)] as [string, string]],
        ),
        ...(method !== "GET" && method !== "HEAD" && { body: Buffer.concat(chunks) }),
        signal: gone.signal,
      }),
    );
    outgoing.writeHead(response.status, [...response.headers].flat());
    if (!response.body) outgoing.end();
    else {
      outgoing.flushHeaders();
      await pipeline(Readable.fromWeb(response.body as import("node:stream/web").ReadableStream), outgoing);
    }
  } catch (error) {
    if (!outgoing.headersSent) outgoing.writeHead(500).end(String(error));
    else outgoing.destroy();
  }
}
