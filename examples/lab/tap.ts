import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Cluster } from "./cluster.ts";
import type { Loose } from "./run.ts";

/** A request of the functions to the API server, and its answer. */
export type Exchange = {
  method: string;
  /** Without its query. */
  path: string;
  body?: unknown;
  status: number;
  answer?: Loose;
  /** For a write: the object as it was just before. */
  before?: Loose;
};

/** What stands between the functions and the API server. */
export interface Tap {
  url: string;
  close(): Promise<void>;
}

/**
 * Passes the functions' requests on to the API server and reports each, so that nobody has to take the controller's word
 * for what it read and wrote. The credentials stay here: whoever has the tap's token may use them.
 */
export async function openTap(options: {
  transport: Cluster["transport"];
  token: string;
  onExchange: (exchange: Exchange) => void;
}): Promise<Tap> {
  const { transport, token, onExchange } = options;

  async function find(path: string): Promise<Loose | undefined> {
    const answer = await transport.fetch(path);
    const object = (await answer.json()) as Loose;
    return answer.ok ? object : undefined;
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401).end();
      return;
    }
    const { method = "GET", url = "" } = request;
    const path = url.split("?", 1)[0]!;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const before = method === "GET" ? undefined : await find(path.replace(/\/status$/, ""));
    const { accept = "application/json", "content-type": type } = request.headers;
    const answer = await transport.fetch(url, {
      method,
      headers: { accept, ...(type !== undefined && { "content-type": type }) },
      ...(body !== "" && { body }),
    });
    const text = await answer.text();
    onExchange({
      ...{ method, path, status: answer.status, answer: JSON.parse(text) as Loose },
      ...(body !== "" && { body: JSON.parse(body) as unknown }),
      ...(before && { before }),
    });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "application/json" });
    response.end(text);
  }

  const server = createServer((request, response) => {
    // The functions see a broken connection, and try again.
    pass(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
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
