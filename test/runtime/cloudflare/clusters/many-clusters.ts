import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleWorker, type LocalWorker, runWorker } from "../../../../examples/workerd/serve-worker.ts";
import { API_VERSION, sign, type TriggersAnswer } from "../../../../functions/contract/index.ts";

const SECRET = `whsec_${Buffer.from("a secret of 32 bytes for cluster").toString("base64")}`;

/** What the gateway of a cluster does with a run's first request. */
export type Behaviour = "answers" | "hangs" | "says gone";

/** A Worker in workerd with several clusters, and one server that is the gateway of each. */
export class ManyClusters {
  /** The runs that have asked for their object, as `CLUSTER/NAME`, in order. */
  readonly started: string[] = [];
  readonly behaviours = new Map<string, Behaviour>();
  readonly folder: string = mkdtempSync(join(tmpdir(), "sluice-clusters-"));
  readonly #server = createServer((request, response) => this.#answer(request.url ?? "", response));
  #worker: LocalWorker | undefined;

  async open(): Promise<void> {
    await bundleWorker({ entry: "test/runtime/cloudflare/clusters/worker.ts", folder: join(this.folder, "code") });
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  /** Ends the process as `kill -9` does, and starts one that declares these clusters. */
  async restart(...clusters: string[]): Promise<void> {
    await this.kill();
    const { port } = this.#server.address() as AddressInfo;
    this.#worker = await runWorker(join(this.folder, "code"), {
      texts: { GATEWAY_URL: `http://127.0.0.1:${port}`, SLUICE_SECRET: SECRET, CLUSTERS: clusters.join(",") },
      folder: this.folder,
      inspector: true,
      onLine: () => {},
    });
  }

  get inspectorUrl(): string {
    return this.#worker!.inspectorUrl!;
  }

  async kill(): Promise<void> {
    if (!this.#worker) return;
    process.kill(this.#worker.pid, "SIGKILL");
    await this.#worker.ended;
    this.#worker = undefined;
  }

  /** @param lane `resync` for many. */
  async trigger(cluster: string, names: readonly string[], lane: "live" | "resync" = "live"): Promise<TriggersAnswer> {
    const reason = lane === "live" ? "object-updated" : "bulk";
    const triggers = names.map((name) => ({ controller: "tasks", namespace: "default", name, reason, lane }));
    const answer = await this.#post("/triggers", { cluster, triggers });
    return (await answer.json()) as TriggersAnswer;
  }

  async wake(cluster: string): Promise<void> {
    await (await this.#post("/wake", { cluster })).text();
  }

  async close(): Promise<void> {
    await this.kill();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #post(path: string, request: object): Promise<Response> {
    const body = new TextEncoder().encode(JSON.stringify({ apiVersion: API_VERSION, ...request }));
    const signature = await sign([SECRET], { id: crypto.randomUUID(), now: Date.now(), body });
    const headers = { ...signature, "content-type": "application/json" };
    const answer = await fetch(`${this.#worker!.url}${path}`, { method: "POST", headers, body });
    if (answer.status !== 202) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }

  #answer(path: string, response: ServerResponse): void {
    const [, cluster = "", ...rest] = path.split("/");
    const name = rest.at(-1)!;
    this.started.push(`${cluster}/${name}`);
    const behaviour = this.behaviours.get(cluster) ?? "answers";
    if (behaviour === "hangs") return;
    const details = { name, group: "test.sluice.dev", kind: "tasks" };
    const gone = { apiVersion: "v1", kind: "Status", status: "Failure", reason: "NotFound", code: 404, details };
    const metadata = { name, namespace: "default", uid: `uid-${name}`, resourceVersion: "1", generation: 1 };
    const task = { apiVersion: "test.sluice.dev/v1", kind: "Task", metadata, spec: {} };
    response
      .writeHead(behaviour === "says gone" ? 404 : 200, { "content-type": "application/json" })
      .end(JSON.stringify(behaviour === "says gone" ? gone : task));
  }
}

export const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}-${at}`);

/** In batches as a relay sends them. */
export async function triggerAll(worker: ManyClusters, cluster: string, all: readonly string[]): Promise<void> {
  for (let at = 0; at < all.length; at += 500) await worker.trigger(cluster, all.slice(at, at + 500), "resync");
}
