import { connectKube, type NodeTransport } from "../../../adapters/runtime/node/kube-config/index.ts";
import type { RbacRule } from "../../../functions/contract/index.ts";
import type { ClusterAccess } from "../control-plane/kubeconfig.ts";
import { eventually } from "../support/eventually.ts";
import type { KubeApi } from "../support/kube-api.ts";

const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const rbacKind = (kind: string, metadata: object, rest: object) => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind,
  metadata,
  ...rest,
});

export type Account = { namespace: string; name: string };

/** A service account whose Role in each of these namespaces has these rules. */
export async function createAccount(
  api: KubeApi,
  account: Account,
  roles: Record<string, readonly RbacRule[]> = {},
): Promise<Account> {
  const { namespace, name } = account;
  const metadata = { name };
  await api.create(`/api/v1/namespaces/${namespace}/serviceaccounts`, {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata,
  });
  for (const [where, rules] of Object.entries(roles)) await allow(api, account, where, rules);
  return account;
}

async function allow(api: KubeApi, account: Account, namespace: string, rules: readonly object[]): Promise<void> {
  const metadata = { name: `${account.namespace}-${account.name}` };
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: metadata.name };
  const subjects = [{ kind: "ServiceAccount", ...account }];
  await api.create(`${RBAC}/namespaces/${namespace}/roles`, rbacKind("Role", metadata, { rules }));
  const binding = rbacKind("RoleBinding", metadata, { roleRef, subjects });
  await api.create(`${RBAC}/namespaces/${namespace}/rolebindings`, binding);
}

/** Binds rules to an account in the whole cluster. */
export async function allowEverywhere(api: KubeApi, account: Account, rules: readonly RbacRule[]): Promise<void> {
  const metadata = { name: `${account.namespace}-${account.name}` };
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: metadata.name };
  const subjects = [{ kind: "ServiceAccount", ...account }];
  const clean = rules.map(({ apiGroups, resources, verbs }) => ({ apiGroups, resources, verbs }));
  await api.create(`${RBAC}/clusterroles`, rbacKind("ClusterRole", metadata, { rules: clean }));
  await api.create(`${RBAC}/clusterrolebindings`, rbacKind("ClusterRoleBinding", metadata, { roleRef, subjects }));
}

/** Lets one account impersonate others of a namespace, and nothing else: all that a gateway needs. */
export async function allowImpersonation(api: KubeApi, account: Account, others: readonly Account[]): Promise<void> {
  const [first] = others;
  const resourceNames = others.map(({ name }) => name);
  const rule = { apiGroups: [""], resources: ["serviceaccounts"], verbs: ["impersonate"], resourceNames };
  await allow(api, account, first!.namespace, [rule]);
}

/** Waits until the API server's authorizer knows what an account may do. */
export async function untilAllowed(
  api: KubeApi,
  { namespace, name }: Account,
  attributes: { verb: string; group?: string; resource: string; namespace?: string; name?: string },
): Promise<void> {
  const spec = { user: `system:serviceaccount:${namespace}:${name}`, resourceAttributes: attributes };
  const review = { apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview", spec };
  await eventually(`${name} may ${attributes.verb} ${attributes.resource}`, 10_000, async () => {
    const { status } = await api.create("/apis/authorization.k8s.io/v1/subjectaccessreviews", review);
    return status.allowed;
  });
}

/** The way to the API server as this account, by a token as a Pod has one. */
export async function connectAs(
  access: ClusterAccess & { api: KubeApi },
  { namespace, name }: Account,
): Promise<NodeTransport> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const spec = { expirationSeconds: 3_600 };
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec };
  const { status } = await access.api.create(path, request);
  const credentials = {
    server: access.server,
    authorization: `Bearer ${status.token}`,
    tls: { ca: access.ca },
  };
  return connectKube(async () => credentials);
}
