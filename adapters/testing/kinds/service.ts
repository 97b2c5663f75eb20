import type { StatusCause } from "../http/status-error.ts";
import { isObject, type JsonObject } from "../json.ts";
import { forbiddenValue, invalidValue, required, unsupportedValue } from "../schema/causes.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { BuiltIn } from "./built-in.ts";
import { ageColumn, fieldColumn, nameColumn } from "./columns.ts";
import type { KindContext } from "./served-kind.ts";

const TYPES = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];

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
  validate: (object, live) => serviceCauses(object, live),
  columns: [
    nameColumn,
    fieldColumn("Type", ["spec", "type"]),
    { name: "Cluster-IP", type: "string", value: (object) => specOf(object).clusterIP ?? "<none>" },
    { name: "External-IP", type: "string", value: externalAddress },
    { name: "Port(s)", type: "string", value: (object) => portsOf(object).map(portText).join(",") || "<none>" },
    ageColumn,
    { name: "Selector", type: "string", priority: 1, value: selectorText },
  ],
  selectable: { "spec.clusterIP": ["spec", "clusterIP"], "spec.type": ["spec", "type"] },
};

function specOf(object: StoredObject): JsonObject {
  return isObject(object.spec) ? object.spec : {};
}

function portsOf(object: StoredObject): JsonObject[] {
  const { ports } = specOf(object);
  return Array.isArray(ports) ? (ports as JsonObject[]) : [];
}

function setDefaults(object: StoredObject): StoredObject {
  const given = specOf(object);
  const spec: JsonObject = { sessionAffinity: "None", type: "ClusterIP", ...given };
  if (Array.isArray(given.ports)) {
    spec.ports = portsOf(object).map((port) => ({ protocol: "TCP", targetPort: port.port, ...port }));
  }
  if (spec.type !== "ExternalName") spec.internalTrafficPolicy ??= "Cluster";
  if (spec.type === "NodePort" || spec.type === "LoadBalancer") spec.externalTrafficPolicy ??= "Cluster";
  if (spec.type === "LoadBalancer") spec.allocateLoadBalancerNodePorts ??= true;
  return { ...object, spec };
}

/** Gives it the next free address of 10.0.0.0/24, as a cluster with one small range would. */
function allocate(object: StoredObject, live: StoredObject | undefined, { list }: KindContext): StoredObject {
  const given = specOf(object);
  if (!TYPES.includes(String(given.type)) || given.type === "ExternalName") return object;
  const before = live ? specOf(live) : {};
  const clusterIP = given.clusterIP ?? before.clusterIP ?? freeAddress(list("services"));
  const dual = clusterIP === "None" && given.selector === undefined;
  const spec = {
    clusterIPs: [clusterIP],
    ipFamilies: dual ? ["IPv4", "IPv6"] : ["IPv4"],
    ipFamilyPolicy: dual ? "RequireDualStack" : "SingleStack",
    ...given,
    clusterIP,
  };
  return { ...object, spec };
}

function freeAddress(services: readonly StoredObject[]): string {
  const taken = new Set(services.map((other) => specOf(other).clusterIP));
  for (let host = 10; host < 255; host++) if (!taken.has(`10.0.0.${host}`)) return `10.0.0.${host}`;
  return "";
}

function serviceCauses(object: StoredObject, live: StoredObject | undefined): StatusCause[] {
  const spec = specOf(object);
  if (!TYPES.includes(String(spec.type))) return [unsupportedValue("spec.type", spec.type, TYPES)];
  const ports = portsOf(object);
  const causes: StatusCause[] = [];
  if (ports.length === 0 && spec.type !== "ExternalName" && spec.clusterIP !== "None") {
    causes.push(required("spec.ports"));
  }
  if (spec.type === "ExternalName" && !spec.externalName) causes.push(required("spec.externalName"));
  ports.forEach((port, index) => {
    const at = `spec.ports[${index}]`;
    if (ports.length > 1 && !port.name) causes.push(required(`${at}.name`));
    causes.push(...numberCauses(`${at}.port`, port.port), ...numberCauses(`${at}.targetPort`, port.targetPort));
  });
  const [before, after] = [live && specOf(live).clusterIP, spec.clusterIP];
  if (before && after !== before && spec.type !== "ExternalName") {
    causes.push(invalidValue("spec.clusterIPs[0]", spec.clusterIPs, "may not change once set"));
  }
  const balancer = isObject(object.status) && isObject(object.status.loadBalancer) ? object.status.loadBalancer : {};
  if (balancer.ingress !== undefined && spec.type !== "LoadBalancer") {
    causes.push(forbiddenValue("status.loadBalancer.ingress", "may only be used when `spec.type` is 'LoadBalancer'"));
  }
  return causes;
}

function numberCauses(field: string, port: unknown): StatusCause[] {
  const wrong = typeof port === "number" && (port < 1 || port > 65_535);
  return wrong ? [invalidValue(field, port, "must be between 1 and 65535, inclusive")] : [];
}

function externalAddress(object: StoredObject): unknown {
  return specOf(object).type === "ExternalName" ? specOf(object).externalName : "<none>";
}

function portText({ port, nodePort, protocol }: JsonObject): string {
  return `${port}${nodePort ? `:${nodePort}` : ""}/${protocol}`;
}

function selectorText(object: StoredObject): string {
  const { selector } = specOf(object);
  const labels = Object.entries(isObject(selector) ? selector : {});
  return labels.map(([key, value]) => `${key}=${value}`).join(",") || "<none>";
}
