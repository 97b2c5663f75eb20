import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Agent, createServer, request, type Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import type { ClusterAccess } from "../control-plane/kubeconfig.ts";

/** What goes wrong with the requests that it is for. */
export type Fault = {
  /** Matched with path and query. */
  on: RegExp;
  /** How many requests it is for: by default one. */
  times?: number;
  /** Answers in the API server's place. */
  answer?: { status: number; headers?: Record<string, string>; body?: object };
  /** Asks the API server something else. */
  ask?(path: string): string;
  /** What of the API server's bytes goes on. To throw breaks the connection. */
  bytes?(source: AsyncIterable<Buffer>): AsyncIterable<Buffer>;
};

/** A fault that was laid, and how many requests it has met. */
export type Laid = Fault & { met: number };

export type Certificate = { certificatePath: string; keyPath: string };

const read = ({ certificatePath, keyPath }: Certificate) => ({
  cert: readFileSync(certificatePath),
  key: readFileSync(keyPath),
});

/** Stands between a relay and a real API server, and breaks what it is told to. All else passes as it is. */
export class FaultProxy {
  /** Path and query of each request, in order. */
  readonly requests: string[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #upstream: { host: string; port: string; agent: Agent };
  #faults: Laid[] = [];
  #parted = false;

  /** Call {@link listen} before anything is asked. */
  constructor(access: Pick<ClusterAccess, "server" | "ca">, certificate: Certificate) {
    const { hostname: host, port } = new URL(access.server);
    this.#upstream = { host, port, agent: new Agent({ ca: access.ca, keepAlive: true }) };
    this.#server = createServer(read(certificate), (asked, answer) => this.#serve(asked, answer));
    this.#server.on("connection", (socket: Socket) => {
      if (this.#parted) return void socket.destroy();
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  lay(fault: Fault): Laid {
    const laid = { ...fault, met: 0 };
    this.#faults.push(laid);
    return laid;
  }

  /** Lifts all faults. What they have begun goes on. */
  heal(): void {
    this.#faults = [];
  }

  /** Ends all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Ends all connections, and takes none until they are joined again. */
  part(): void {
    this.#parted = true;
    this.cut();
  }

  join(): void {
    this.#parted = false;
  }

  /** Shows another certificate from the next connection on. */
  show(certificate: Certificate): void {
    this.#server.setSecureContext(read(certificate));
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    this.#upstream.agent.destroy();
    await closed;
  }

  #serve(asked: IncomingMessage, answer: ServerResponse): void {
    const path = asked.url ?? "/";
    this.requests.push(path);
    const fault = this.#faults.find(({ on, times = 1, met }) => met < times && on.test(path));
    if (fault) fault.met++;
    if (fault?.answer) {
      const { status, headers, body } = fault.answer;
      answer.writeHead(status, { "content-type": "application/json", ...headers });
      answer.end(body === undefined ? "" : `${JSON.stringify(body)}\n`);
      return;
    }
    const { host, ...headers } = asked.headers;
    const upstream = request(
      { ...this.#upstream, method: asked.method, path: fault?.ask?.(path) ?? path, headers },
      (found) => {
        const { connection, "transfer-encoding": encoding, ...shown } = found.headers;
        answer.writeHead(found.statusCode ?? 502, shown);
        answer.flushHeaders();
        const bytes: AsyncIterable<Buffer> = fault?.bytes ? fault.bytes(found) : found;
        // A source that breaks off breaks the connection, as it does without a proxy.
        void pipeline(bytes, answer).catch(() => answer.destroy());
      },
    );
    upstream.on("error", () => answer.destroy());
    answer.on("close", () => upstream.destroy());
    asked.pipe(upstream);
  }
}
