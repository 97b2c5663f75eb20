import { join } from "node:path";
import { serveWorker } from "../../../examples/workerd/serve-worker.ts";
import { API_VERSION, sign } from "../../../functions/contract/index.ts";
import { readProcess } from "../harness/process-table.ts";
import type { BenchGateway } from "./gateway.ts";

const SECRET = `whsec_${Buffer.from("a secret of 32 bytes for benches").toString("base64")}`;

/** The documents example in workerd, triggered by hand. */
export type WorkerSession = {
  url: string;
  /** Milliseconds from its start until its first answer. */
  startMs: number;
  /** Milliseconds until the 202. */
  trigger(...names: string[]): Promise<number>;
  cpuMs(): number;
  stop(): Promise<void>;
};

export async function startSession(folder: string, gateway: BenchGateway, concurrency: number): Promise<WorkerSession> {
  const lines: string[] = [];
  const begun = performance.now();
  let bundledMs = 0;
  const worker = await serveWorker({
    entry: "examples/documents/worker.ts",
    define: { OWN_WRITES: '"ignore"', CONCURRENCY: String(concurrency) },
    texts: { GATEWAY_URL: gateway.url, SLUICE_SECRET: SECRET },
    folder: join(folder, "documents"),
    onLine: (line) => lines.push(line),
    onBundled: () => {
      bundledMs = performance.now() - begun;
    },
  });
  await (await fetch(`${worker.url}/healthz`)).text();
  return {
    url: worker.url,
    startMs: performance.now() - begun - bundledMs,
    async trigger(...names) {
      const triggers = names.map((name) => ({
        ...{ controller: "documents", namespace: "default", name },
        ...{ reason: "object-updated", lane: "live" },
      }));
      const body = new TextEncoder().encode(JSON.stringify({ apiVersion: API_VERSION, cluster: "home", triggers }));
      const signature = await sign([SECRET], { id: crypto.randomUUID(), now: Date.now(), body });
      const headers = { ...signature, "content-type": "application/json" };
      const at = performance.now();
      const answer = await fetch(`${worker.url}/triggers`, { method: "POST", headers, body });
      const text = await answer.text();
      const took = performance.now() - at;
      if (answer.status !== 202) throw new Error(`POST /triggers: ${answer.status} ${text}\n${lines.join("\n")}`);
      return took;
    },
    cpuMs: () => 1000 * (readProcess(worker.pid)?.cpuSeconds ?? 0),
    stop: worker.stop,
  };
}
