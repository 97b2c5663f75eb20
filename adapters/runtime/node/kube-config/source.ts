import { homedir } from "node:os";
import { join } from "node:path";
import type { CredentialSource, Environment } from "./credentials.ts";
import { inClusterSource } from "./in-cluster.ts";
import { kubeConfigSource } from "./kube-config.ts";

/**
 * Where this process finds its credentials: the kubeconfig that KUBECONFIG names, else the Pod's service account, else
 * `~/.kube/config`.
 */
export function credentialSource(env: Environment): CredentialSource {
  if (env.KUBECONFIG) return kubeConfigSource(env.KUBECONFIG, { env });
  if (env.KUBERNETES_SERVICE_HOST) return inClusterSource(env);
  return kubeConfigSource(join(homedir(), ".kube", "config"), { env });
}
