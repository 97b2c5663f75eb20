import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";

/** How to reach a control plane as its administrator. Plain values, so that they can be handed to another process. */
export type ClusterAccess = {
  server: string;
  /** PEM. */
  ca: string;
  token: string;
  /** Path of a kubeconfig with the token, and the authority inside. */
  kubeconfig: string;
  /** Path of a kubeconfig with a client certificate, its key and the authority in files beside it. */
  certificateKubeconfig: string;
};

export function writeKubeconfigs(
  dir: string,
  options: {
    server: string;
    ca: string;
    caPath: string;
    token: string;
    administrator: { certificatePath: string; keyPath: string };
  },
): ClusterAccess {
  const { server, ca, token } = options;
  const kubeconfig = join(dir, "kubeconfig");
  const certificateKubeconfig = join(dir, "kubeconfig-certificate");
  const caData = Buffer.from(ca).toString("base64");
  writeFileSync(kubeconfig, content({ server, "certificate-authority-data": caData }, { token }));
  writeFileSync(
    certificateKubeconfig,
    content(
      { server, "certificate-authority": options.caPath },
      { "client-certificate": options.administrator.certificatePath, "client-key": options.administrator.keyPath },
    ),
  );
  return { server, ca, token, kubeconfig, certificateKubeconfig };
}

function content(cluster: Record<string, string>, user: Record<string, string>): string {
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "test", cluster }],
    users: [{ name: "admin", user }],
    contexts: [{ name: "test", context: { cluster: "test", user: "admin" } }],
    "current-context": "test",
  });
}
