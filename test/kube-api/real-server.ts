import { readFileSync } from "node:fs";
import { Agent, fetch as undiciFetch } from "undici";
import { parse } from "yaml";
import type { KubeTransport } from "../../functions/ports/kube-transport.ts";

type Kubeconfig = {
  clusters: { cluster: { server: string; "certificate-authority-data": string } }[];
  users: { user: { token: string } }[];
};

/** The API server of a kubeconfig that holds one cluster, its CA and a token. */
export function realServer(kubeconfigPath: string): KubeTransport {
  const config = parse(readFileSync(kubeconfigPath, "utf8")) as Kubeconfig;
  const { server, "certificate-authority-data": ca } = config.clusters[0]!.cluster;
  // A connection a request: one that is kept may be closed by the server just as it is used again.
  const dispatcher = new Agent({ connect: { ca: Buffer.from(ca, "base64") }, pipelining: 0 });
  const authorization = `Bearer ${config.users[0]!.user.token}`;
  return {
    async fetch(path, init = {}) {
      const headers = { authorization, ...init.headers };
      const response = await undiciFetch(`${server}${path}`, { ...init, headers, dispatcher });
      return response as unknown as Response;
    },
  };
}
