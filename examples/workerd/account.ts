import { isDeepStrictEqual } from "node:util";
import type { NodeTransport } from "../../adapters/runtime/node/kube-config/index.ts";

/** Who the functions are in the cluster: the relay's gateway impersonates this account. */
export const ACCOUNT = { namespace: "default", name: "sluice-documents" };

const RBAC = "rbac.authorization.k8s.io";
const metadata = { name: ACCOUNT.name };

/** What `documentsController` declares, as the owner of a cluster would apply it. */
const rules = [
  { apiGroups: ["example.com"], resources: ["documents"], verbs: ["get", "patch"] },
  { apiGroups: ["example.com"], resources: ["documents/status"], verbs: ["patch"] },
  { apiGroups: ["example.com"], resources: ["documents/finalizers"], verbs: ["update"] },
  { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "create", "patch", "delete"] },
];

const objects = {
  [`/api/v1/namespaces/${ACCOUNT.namespace}/serviceaccounts`]: { apiVersion: "v1", kind: "ServiceAccount", metadata },
  [`/apis/${RBAC}/v1/clusterroles`]: { apiVersion: `${RBAC}/v1`, kind: "ClusterRole", metadata, rules },
  [`/apis/${RBAC}/v1/clusterrolebindings`]: {
    ...{ apiVersion: `${RBAC}/v1`, kind: "ClusterRoleBinding", metadata },
    roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: metadata.name },
    subjects: [{ kind: "ServiceAccount", ...ACCOUNT }],
  },
};

/**
 * Applies the functions' account and what it may do. Writes nothing where all is there already.
 * @throws Error where the cluster refuses.
 */
export async function applyAccount({ fetch }: Pick<NodeTransport, "fetch">): Promise<void> {
  for (const [path, object] of Object.entries(objects)) {
    const found = await fetch(`${path}/${metadata.name}`);
    if (found.ok && saysAllOf(await found.json(), object)) continue;
    if (!found.ok) await found.text();
    const answer = await fetch(`${path}/${metadata.name}?fieldManager=sluice-example&force=true`, {
      method: "PATCH",
      headers: { "content-type": "application/apply-patch+yaml" },
      body: JSON.stringify(object),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`);
  }
}

function saysAllOf(found: unknown, { metadata: _, ...rest }: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(rest).every(([field, value]) =>
    isDeepStrictEqual((found as Record<string, unknown>)[field], value),
  );
}
