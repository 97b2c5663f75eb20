import type { StatusCause } from "../http/status-error.ts";
import { isObject, type JsonObject } from "../json.ts";
import { duplicateValue, required } from "../schema/causes.ts";
import { shortestQuantity } from "./quantity.ts";

/** A pod template's spec with the defaults that the API server sets. */
export function podSpecWithDefaults(value: unknown): JsonObject {
  const given = isObject(value) ? value : {};
  const spec: JsonObject = {
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    dnsPolicy: "ClusterFirst",
    schedulerName: "default-scheduler",
    securityContext: {},
    ...given,
  };
  if (given.serviceAccountName !== undefined) spec.serviceAccount ??= given.serviceAccountName;
  else if (given.serviceAccount !== undefined) spec.serviceAccountName = given.serviceAccount;
  for (const list of ["containers", "initContainers"]) {
    if (Array.isArray(given[list])) spec[list] = (given[list] as JsonObject[]).map(containerWithDefaults);
  }
  if (Array.isArray(given.volumes)) spec.volumes = (given.volumes as JsonObject[]).map(volumeWithDefaults);
  return spec;
}

function containerWithDefaults(container: JsonObject): JsonObject {
  const image = String(container.image ?? "");
  const tag = /:([^/:@]+)(@|$)/.exec(image)?.[1];
  const latest = !image.includes("@") && (tag === undefined || tag === "latest");
  const result: JsonObject = {
    resources: {},
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: latest ? "Always" : "IfNotPresent",
    ...container,
  };
  if (isObject(container.resources)) result.resources = resourcesWithDefaults(container.resources);
  if (Array.isArray(container.ports)) {
    result.ports = (container.ports as JsonObject[]).map((port) => ({ protocol: "TCP", ...port }));
  }
  for (const probe of ["livenessProbe", "readinessProbe", "startupProbe"]) {
    if (isObject(container[probe])) result[probe] = probeWithDefaults(container[probe]);
  }
  if (Array.isArray(container.env)) result.env = (container.env as JsonObject[]).map(envWithDefaults);
  return result;
}

function envWithDefaults(variable: JsonObject): JsonObject {
  if (!isObject(variable.valueFrom) || !isObject(variable.valueFrom.fieldRef)) return variable;
  const fieldRef = { apiVersion: "v1", ...variable.valueFrom.fieldRef };
  return { ...variable, valueFrom: { ...variable.valueFrom, fieldRef } };
}

function probeWithDefaults(probe: JsonObject): JsonObject {
  const http = isObject(probe.httpGet) ? { httpGet: { path: "/", scheme: "HTTP", ...probe.httpGet } } : {};
  return { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3, ...probe, ...http };
}

function volumeWithDefaults(volume: JsonObject): JsonObject {
  const result = { ...volume };
  for (const source of ["secret", "configMap", "downwardAPI", "projected"]) {
    if (isObject(volume[source])) result[source] = { defaultMode: 420, ...volume[source] };
  }
  if (isObject(volume.hostPath)) result.hostPath = { type: "", ...volume.hostPath };
  return result;
}

/** A limit without a request is the request too; quantities are written in their shortest form. */
function resourcesWithDefaults(resources: JsonObject): JsonObject {
  const limits = isObject(resources.limits) ? mapValues(resources.limits, shortestQuantity) : undefined;
  const requests = isObject(resources.requests) ? mapValues(resources.requests, shortestQuantity) : undefined;
  const all = limits || requests ? { ...limits, ...requests } : undefined;
  return { ...resources, ...(limits && { limits }), ...(all && { requests: all }) };
}

function mapValues(map: JsonObject, change: (value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}

/** What is wrong with a pod template's spec. Only what every pod needs is looked at, and that no two containers share a name. */
export function podSpecCauses(value: unknown, path: string): StatusCause[] {
  const list = (field: string) =>
    isObject(value) && Array.isArray(value[field]) ? (value[field] as JsonObject[]) : [];
  const containers = list("containers");
  const names = new Set<unknown>();
  const causes = containers.length > 0 ? [] : [required(`${path}.containers`)];
  for (const [field, all] of [
    ["containers", containers] as const,
    ["initContainers", list("initContainers")] as const,
  ]) {
    for (const [index, container] of all.entries()) {
      const place = `${path}.${field}[${index}]`;
      for (const needed of ["name", "image"]) if (!container[needed]) causes.push(required(`${place}.${needed}`));
      if (container.name && names.has(container.name)) causes.push(duplicateValue(`${place}.name`, container.name));
      names.add(container.name);
    }
  }
  return causes;
}
