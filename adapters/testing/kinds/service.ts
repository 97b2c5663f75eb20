import { isObject, type JsonObject } from "../json.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { BuiltIn } from "./built-in.ts";
import { ageColumn, nameColumn } from "./columns.ts";
import type { KindContext } from "./served-kind.ts";

export const service: BuiltIn = {
  group: "",
  version: "v1",
  kind: "Service",
  plural: "services",
  shortNames: ["svc"],
  categories: ["all"],
  schemaName: "api.core.v1.Service",
  zero: { metadata: {}, spec: {}, status: { loadBalancer: {} } },
  status: true,
  setDefaults,
  prepareCreate: (object, context) => ({ ...allocate(object, undefined, context), status: { loadBalancer: {} } }),
  prepareUpdate: (next, live, context) => allocate(next, live, context),
  columns: [nameColumn, ageColumn],
  selectable: { "spec.clusterIP": ["spec", "clusterIP"], "spec.type": ["spec", "type"] },
};

function setDefaults(object: StoredObject): StoredObject {
  const given = isObject(object.spec) ? object.spec : {};
  const spec: JsonObject = { sessionAffinity: "None", type: "ClusterIP", ...given };
  if (Array.isArray(given.ports)) {
    spec.ports = (given.ports as JsonObject[]).map((port) => ({ protocol: "TCP", targetPort: port.port, ...port }));
  }
  if (spec.type !== "ExternalName") spec.internalTrafficPolicy ??= "Cluster";
  if (spec.type === "NodePort" || spec.type === "LoadBalancer") spec.externalTrafficPolicy ??= "Cluster";
  if (spec.type === "LoadBalancer") spec.allocateLoadBalancerNodePorts ??= true;
  return { ...object, spec };
}

/** Gives it the next free address of 10.0.0.0/24, as a cluster of one small range would. */
function allocate(object: StoredObject, live: StoredObject | undefined, { list }: KindContext): StoredObject {
  const given = object.spec as JsonObject;
  if (given.type === "ExternalName") return object;
  const before = (live?.spec ?? {}) as JsonObject;
  const taken = new Set(list("services").map((other) => (other.spec as JsonObject).clusterIP));
  const clusterIP = given.clusterIP ?? before.clusterIP ?? freeAddress(taken);
  const families = clusterIP === "None" ? (given.ipFamilies ?? ["IPv4"]) : ["IPv4"];
  return {
    ...object,
    spec: {
      ...given,
      clusterIP,
      clusterIPs: given.clusterIPs ?? [clusterIP],
      ipFamilies: families,
      ipFamilyPolicy: given.ipFamilyPolicy ?? "SingleStack",
    },
  };
}

function freeAddress(taken: ReadonlySet<unknown>): string {
  for (let host = 10; host < 255; host++) if (!taken.has(`10.0.0.${host}`)) return `10.0.0.${host}`;
  return "";
}
