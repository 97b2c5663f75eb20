import { Agent, type Dispatcher } from "undici";
import type { ClusterAccess } from "../../cluster/control-plane/kubeconfig.ts";
import { pause } from "./pause.ts";

export const mergePatch = "application/merge-patch+json";
export const applyPatch = "application/apply-patch+yaml";

export type Metadata = {
  name: string;
  uid: string;
  resourceVersion: string;
  generation: number;
  finalizers?: string[];
  ownerReferences?: { kind: string; uid: string; controller?: boolean }[];
  managedFields?: { manager: string; operation: string }[];
};

/** What the bench reads of Documents and ConfigMaps. */
export type BenchObject = {
  metadata: Metadata;
  spec?: { title: string; content: string };
  status?: { phase?: string; observedGeneration?: number };
  data?: Record<string, string>;
};

export type WatchEvent = { type: string; object: BenchObject & { code?: number; message?: string } };

export class BenchApiError extends Error {
  readonly status: number;
  constructor(status: number, method: string, path: string, text: string) {
    super(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
    this.status = status;
  }
}

const broken = ["ECONNRESET", "EPIPE", "ECONNREFUSED", "UND_ERR_SOCKET"];

/** The bench's own client: leaner than `fetch`, since what it costs is part of every latency. */
export class BenchClient {
  /** Answers 429 and broken connections, all of them tried again: figures with many of either are worth less. */
  rejected = 0;
  resets = 0;
  readonly #origin: string;
  readonly #headers: Record<string, string>;
  readonly #agent: Agent;

  constructor({ server, ca, token }: ClusterAccess) {
    this.#origin = server;
    this.#headers = { authorization: `Bearer ${token}`, accept: "application/json", "user-agent": "bench" };
    this.#agent = new Agent({ connections: 64, connect: { ca }, bodyTimeout: 0 });
  }

  async text(method: Dispatcher.HttpMethod, path: string, body?: object | string, type = "application/json") {
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await this.#send(method, path, body, type);
        const text = await answer.body.text();
        if (answer.statusCode < 300) return text;
        if (answer.statusCode !== 429 || attempt >= 100) throw new BenchApiError(answer.statusCode, method, path, text);
        this.rejected++;
        await pause(Number(answer.headers["retry-after"] ?? 0) * 1000 || 50);
      } catch (error) {
        if (attempt >= 5 || !broken.includes((error as { code?: string }).code ?? "")) throw error;
        this.resets++;
        await pause(50 << attempt);
      }
    }
  }

  async json<T>(method: Dispatcher.HttpMethod, path: string, body?: object | string, type?: string): Promise<T> {
    return JSON.parse(await this.text(method, path, body, type)) as T;
  }

  /** One watch. Each event comes with `performance.now()` of the bytes that ended it. Resolves when the watch ends. */
  async watch(
    path: string,
    resourceVersion: string,
    onEvent: (event: WatchEvent, arrivedAt: number) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const query = `watch=1&allowWatchBookmarks=true&resourceVersion=${resourceVersion}`;
    const answer = await this.#agent.request({
      origin: this.#origin,
      path: `${path}?${query}`,
      method: "GET",
      headers: this.#headers,
      signal,
    });
    if (answer.statusCode !== 200) throw new BenchApiError(answer.statusCode, "WATCH", path, await answer.body.text());
    let rest: Buffer[] = [];
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      const arrivedAt = performance.now();
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        const line = Buffer.concat([...rest, chunk.subarray(start, end)]);
        rest = [];
        start = end + 1;
        if (line.length > 0) onEvent(JSON.parse(line.toString()) as WatchEvent, arrivedAt);
      }
      if (start < chunk.length) rest.push(chunk.subarray(start));
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  #send(method: Dispatcher.HttpMethod, path: string, body: object | string | undefined, type: string) {
    return this.#agent.request({
      origin: this.#origin,
      path,
      method,
      headers: body === undefined ? this.#headers : { ...this.#headers, "content-type": type },
      body: typeof body === "object" ? JSON.stringify(body) : (body ?? null),
    });
  }
}
