import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CredentialSource, Environment } from "./credentials.ts";
import { proxyOf } from "./proxy.ts";

/** Where the kubelet mounts a Pod's service account, and renews its token. */
const SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * The service account of the Pod that this process runs in.
 * @throws Error where the process runs in no Pod, or in one without a service account.
 */
export function inClusterSource(env: Environment, directory: string = SERVICE_ACCOUNT): CredentialSource {
  return async () => {
    const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
    if (!host || !port)
      throw new Error("KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are needed: this is no Pod of a cluster");
    const [token, ca] = await Promise.all([
      readFile(join(directory, "token"), "utf8"),
      readFile(join(directory, "ca.crt"), "utf8"),
    ]);
    const server = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
    const proxy = proxyOf(server, env);
    return { server, authorization: `Bearer ${token.trim()}`, tls: { ca }, ...(proxy && { proxy }) };
  };
}

/** The namespace of the Pod that this process runs in, undefined where it runs in none or has no service account. */
export async function podNamespace(directory: string = SERVICE_ACCOUNT): Promise<string | undefined> {
  try {
    return (await readFile(join(directory, "namespace"), "utf8")).trim();
  } catch {
    return undefined;
  }
}
