import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type ProcessUnderTest, spawnProcess } from "../support/process-under-test.ts";
import { SECRET } from "./deployment.ts";

/** `sluice relay` as a process, with a proxy of its own before the functions that tells what it sends. */
export type Replica = AsyncDisposable & {
  process: ProcessUnderTest;
  /** What it sent, in order: `POST /triggers`. */
  sent: string[];
  stop(): void;
  goOn(): void;
};

export async function startReplica(
  url: string,
  options: { kubeconfig: string; flags: Record<string, string> },
): Promise<Replica> {
  const sent: string[] = [];
  const proxy = createServer(async (request, response) => {
    const { method = "GET", url: path = "/", headers } = request;
    if (method !== "GET") sent.push(`${method} ${path}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { host: _, connection: __, "transfer-encoding": ___, "content-length": ____, ...rest } = headers;
    try {
      const answer = await fetch(url + path, {
        method,
        headers: rest as Record<string, string>,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      });
      const text = await answer.text();
      const kept = ["content-type", "etag", "retry-after"].flatMap((name) => {
        const value = answer.headers.get(name);
        return value === null ? [] : [[name, value] as const];
      });
      response.writeHead(answer.status, Object.fromEntries(kept)).end(text);
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const flags = {
    "--kubeconfig": options.kubeconfig,
    "--cluster": "home",
    "--ingress": `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    "--metrics-port": "off",
    ...options.flags,
  };
  const relay = spawnProcess({
    script: join(import.meta.dirname, "../../../infra/cli/main.ts"),
    args: ["relay", "--leader-elect", ...Object.entries(flags).flat()],
    env: { SLUICE_SECRET: SECRET },
  });
  return {
    process: relay,
    sent,
    stop: () => void process.kill(relay.pid, "SIGSTOP"),
    goOn: () => void process.kill(relay.pid, "SIGCONT"),
    async [Symbol.asyncDispose]() {
      await relay.kill9();
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
