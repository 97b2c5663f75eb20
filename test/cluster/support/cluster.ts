import { inject } from "vitest";
import type { ClusterAccess } from "../control-plane/kubeconfig.ts";
import { type ControlPlane, type ControlPlaneOptions, startControlPlane } from "../control-plane/start.ts";
import { eventually } from "./eventually.ts";
import { KubeApi } from "./kube-api.ts";

/** The control plane that the whole run shares. Leave its API server alone. */
export function sharedCluster(): ClusterAccess & { api: KubeApi } {
  const access = inject("cluster");
  return { ...access, api: new KubeApi(access) };
}

/** A control plane for one test file, to be restarted, configured or broken at will. Stop it in `afterAll`. */
export function ownControlPlane(options: Omit<ControlPlaneOptions, "bin"> = {}): Promise<ControlPlane> {
  return startControlPlane({ bin: inject("controlPlaneBinaries"), ...options });
}

let namespaces = 0;

/** A new namespace, so that tests never meet each other's objects. */
export async function newNamespace(api: KubeApi): Promise<string> {
  const name = `test-${process.pid}-${++namespaces}`;
  await api.create("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  return name;
}

/** Applies a CRD and waits until all its served versions are. */
export async function applyCrd(
  api: KubeApi,
  // biome-ignore lint/suspicious/noExplicitAny: whatever kind of CRD object the caller has.
  crd: any,
): Promise<void> {
  await api.apply(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd.metadata.name}`, crd);
  const { group, versions, names } = crd.spec;
  for (const version of versions.filter((v: { served: boolean }) => v.served))
    await eventually(`${crd.metadata.name} ${version.name} is served`, 30_000, () =>
      api.find(`/apis/${group}/${version.name}/${names.plural}`),
    );
}
