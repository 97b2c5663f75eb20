/** What a Kubernetes 1.36 API server serves of its own and this one does not: resources by group and version. */
const UNSERVED: Record<string, string> = {
  v1: "bindings componentstatuses endpoints limitranges namespaces/finalize nodes nodes/proxy nodes/status persistentvolumeclaims persistentvolumeclaims/status persistentvolumes persistentvolumes/status pods pods/attach pods/binding pods/ephemeralcontainers pods/eviction pods/exec pods/log pods/portforward pods/proxy pods/resize pods/status podtemplates replicationcontrollers replicationcontrollers/scale replicationcontrollers/status resourcequotas resourcequotas/status serviceaccounts/token services/proxy",
  "admissionregistration.k8s.io/v1":
    "mutatingadmissionpolicies mutatingadmissionpolicybindings mutatingwebhookconfigurations validatingadmissionpolicies validatingadmissionpolicies/status validatingadmissionpolicybindings validatingwebhookconfigurations",
  "apiregistration.k8s.io/v1": "apiservices apiservices/status",
  "apps/v1":
    "controllerrevisions daemonsets daemonsets/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status",
  "authentication.k8s.io/v1": "selfsubjectreviews tokenreviews",
  "authorization.k8s.io/v1":
    "localsubjectaccessreviews selfsubjectaccessreviews selfsubjectrulesreviews subjectaccessreviews",
  "autoscaling/v1": "horizontalpodautoscalers horizontalpodautoscalers/status",
  "autoscaling/v2": "horizontalpodautoscalers horizontalpodautoscalers/status",
  "batch/v1": "cronjobs cronjobs/status jobs jobs/status",
  "certificates.k8s.io/v1":
    "certificatesigningrequests certificatesigningrequests/approval certificatesigningrequests/status",
  "discovery.k8s.io/v1": "endpointslices",
  "flowcontrol.apiserver.k8s.io/v1":
    "flowschemas flowschemas/status prioritylevelconfigurations prioritylevelconfigurations/status",
  "networking.k8s.io/v1": "ingressclasses ingresses ingresses/status ipaddresses servicecidrs servicecidrs/status",
  "node.k8s.io/v1": "runtimeclasses",
  "policy/v1": "poddisruptionbudgets poddisruptionbudgets/status",
  "rbac.authorization.k8s.io/v1": "clusterrolebindings clusterroles rolebindings roles",
  "resource.k8s.io/v1": "deviceclasses resourceclaims resourceclaims/status resourceclaimtemplates resourceslices",
  "scheduling.k8s.io/v1": "priorityclasses",
  "storage.k8s.io/v1":
    "csidrivers csinodes csistoragecapacities storageclasses volumeattachments volumeattachments/status volumeattributesclasses",
};

/** Whether the real server has this resource, or subresource, and this one has not. */
export function isUnserved(apiVersion: string, resource: string): boolean {
  return Object.hasOwn(UNSERVED, apiVersion) && UNSERVED[apiVersion]!.split(" ").includes(resource);
}

/** Paths beside the resources that the real server has and this one has not. */
const PATHS = [
  "/openapi/v2",
  "/openapi/v3",
  "/metrics",
  "/logs",
  "/debug",
  "/.well-known/openid-configuration",
  "/openid",
];

/** What of the discovery, or beside the resources, the real server has and this one has not, by name. */
export function unservedPath(path: string): string | undefined {
  const found = PATHS.find((known) => path === known || path.startsWith(`${known}/`));
  if (found) return found;
  const [, root, group, version, ...rest] = path.split("/");
  if (root !== "apis" || !group || rest.length > 0) return undefined;
  const named = version ? `${group}/${version}` : group;
  const isKnown = Object.keys(UNSERVED).some((known) => known === named || known.startsWith(`${named}/`));
  return isKnown ? `the discovery of ${named}` : undefined;
}

/** All that the real server has and this one answers 501 to: `batch/v1 jobs`. */
export const unserved: readonly string[] = Object.entries(UNSERVED).flatMap(([apiVersion, resources]) =>
  resources.split(" ").map((resource) => `${apiVersion} ${resource}`),
);
