import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createApiServer } from "sluice/testing";
import { connectKube, kubeConfigSource, type NodeTransport } from "../../adapters/runtime/node/kube-config/index.ts";
import { messageIn } from "./kubectl.ts";
import { UsageError } from "./options.ts";

/** An API server to work on. */
export type Cluster = {
  kind: "embedded" | "real";
  /** As it calls itself: `v1.36.3`. */
  version: string;
  transport: NodeTransport;
  close(): Promise<void>;
};

/** An API server in memory, on loopback. */
export async function embeddedCluster(folder: string): Promise<Cluster> {
  const { url, close } = await createApiServer().listen();
  const transport = await connectKube(kubeConfigSource(writeKubeconfig(folder, "cluster", url)));
  return {
    ...{ kind: "embedded", version: await versionOf(transport, url), transport },
    async close() {
      await transport.close();
      await close();
    },
  };
}

/**
 * The cluster of a kubeconfig's current context.
 * @throws UsageError for a kubeconfig that cannot be used, or whose server does not answer or refuses its credentials.
 */
export async function realCluster(kubeconfig: string): Promise<Cluster> {
  let transport: NodeTransport;
  let server: string;
  try {
    const source = kubeConfigSource(kubeconfig);
    transport = await connectKube(source);
    server = (await source()).server;
  } catch (error) {
    throw new UsageError(`--kubeconfig: ${(error as Error).message}`);
  }
  try {
    return { kind: "real", version: await versionOf(transport, server), transport, close: () => transport.close() };
  } catch (error) {
    await transport.close();
    throw error;
  }
}

async function versionOf(transport: NodeTransport, server: string): Promise<string> {
  const answer = await transport.fetch("/version").catch((error: Error) => {
    throw new UsageError(`--kubeconfig: ${error.message}`);
  });
  const text = await answer.text();
  if (answer.status === 401)
    throw new UsageError(`--kubeconfig: ${server} refuses its credentials: 401 ${messageIn(text)}`);
  if (!answer.ok) throw new Error(`GET /version: ${answer.status} ${messageIn(text)}`);
  return (JSON.parse(text) as { gitVersion: string }).gitVersion;
}

/** Writes a kubeconfig for a server on loopback, readable for this user only, and returns its path. */
export function writeKubeconfig(folder: string, name: string, server: string, token = ""): string {
  const file = join(folder, `${name}.kubeconfig`);
  const config = {
    ...{ apiVersion: "v1", kind: "Config", "current-context": name },
    clusters: [{ name, cluster: { server } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  };
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(config, null, 2), { mode: 0o600 });
  return file;
}

/** A token that nobody guesses. */
export function newToken(): string {
  return randomBytes(32).toString("hex");
}
