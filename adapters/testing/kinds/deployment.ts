import type { StatusCause } from "../http/status-error.ts";
import { at, equal, isObject, type JsonObject } from "../json.ts";
import { forbiddenValue, immutable, invalidValue, required, unsupportedValue } from "../schema/causes.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { BuiltIn } from "./built-in.ts";
import { ageColumn, nameColumn } from "./columns.ts";
import { podSpecCauses, podSpecWithDefaults } from "./pod-spec.ts";

export const deployment: BuiltIn = {
  group: "apps",
  version: "v1",
  kind: "Deployment",
  plural: "deployments",
  shortNames: ["deploy"],
  categories: ["all"],
  schemaName: "api.apps.v1.Deployment",
  zero: {
    metadata: {},
    spec: { selector: null, strategy: {}, template: { metadata: {}, spec: { containers: null } } },
    status: {},
  },
  status: true,
  keptByStatus: ["labels"],
  scale: { replicas: ["spec", "replicas"], statusReplicas: ["status", "replicas"], selector: ["spec", "selector"] },
  generation: "spec",
  setDefaults,
  prepareCreate: (object) => ({ ...object, status: {} }),
  validate: (object, live) => deploymentCauses(object, live),
  columns: [
    nameColumn,
    {
      name: "Ready",
      type: "string",
      value: (object) => `${count(object, "status", "readyReplicas")}/${count(object, "spec", "replicas")}`,
    },
    { name: "Up-to-date", type: "string", value: (object) => count(object, "status", "updatedReplicas") },
    { name: "Available", type: "string", value: (object) => count(object, "status", "availableReplicas") },
    ageColumn,
    { name: "Containers", type: "string", priority: 1, value: (object) => ofContainers(object, "name") },
    { name: "Images", type: "string", priority: 1, value: (object) => ofContainers(object, "image") },
    { name: "Selector", type: "string", priority: 1, value: (object) => labelText(selectorOf(object)) },
  ],
};

function count(object: StoredObject, ...path: string[]): unknown {
  return at(object, path) ?? 0;
}

function ofContainers(object: StoredObject, field: string): string {
  const containers = at(object, ["spec", "template", "spec", "containers"]);
  return Array.isArray(containers) ? (containers as JsonObject[]).map((container) => container[field]).join(",") : "";
}

function selectorOf(object: StoredObject): JsonObject {
  const labels = at(object, ["spec", "selector", "matchLabels"]);
  return isObject(labels) ? labels : {};
}

function labelText(labels: JsonObject): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
}

function setDefaults(object: StoredObject): StoredObject {
  const given = isObject(object.spec) ? object.spec : {};
  const strategy: JsonObject = { type: "RollingUpdate", ...(isObject(given.strategy) ? given.strategy : {}) };
  if (strategy.type === "RollingUpdate") {
    const rolling = isObject(strategy.rollingUpdate) ? strategy.rollingUpdate : {};
    strategy.rollingUpdate = { maxUnavailable: "25%", maxSurge: "25%", ...rolling };
  }
  const template = isObject(given.template) ? given.template : {};
  const spec = {
    replicas: 1,
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
    ...given,
    strategy,
    template: { metadata: {}, ...template, spec: podSpecWithDefaults(template.spec) },
  };
  return { ...object, spec };
}

function strategyCauses({ type, rollingUpdate = null }: JsonObject): StatusCause[] {
  if (type === "Recreate" && rollingUpdate) {
    const why = "may not be specified when strategy `type` is 'Recreate'";
    return [forbiddenValue("spec.strategy.rollingUpdate", why)];
  }
  if (type === "Recreate" || type === "RollingUpdate") return [];
  const shown = { Type: type, RollingUpdate: rollingUpdate };
  return [unsupportedValue("spec.strategy", shown, ["Recreate", "RollingUpdate"])];
}

function deploymentCauses(object: StoredObject, live: StoredObject | undefined): StatusCause[] {
  const spec = object.spec as JsonObject;
  const causes: StatusCause[] = [];
  if (Number(spec.replicas) < 0) {
    causes.push(invalidValue("spec.replicas", spec.replicas, "must be greater than or equal to 0"));
  }
  const labels = at(object, ["spec", "template", "metadata", "labels"]);
  const wanted = selectorOf(object);
  if (!isObject(spec.selector)) causes.push(required("spec.selector"));
  else if (live && !equal(spec.selector, (live.spec as JsonObject).selector)) {
    causes.push(immutable("spec.selector", spec.selector));
  }
  causes.push(...strategyCauses(spec.strategy as JsonObject));
  const matches = isObject(labels) && Object.entries(wanted).every(([key, value]) => labels[key] === value);
  if (!matches) {
    const why = "`selector` does not match template `labels`";
    causes.push(invalidValue("spec.template.metadata.labels", labels ?? null, why));
  }
  return [...causes, ...podSpecCauses(at(object, ["spec", "template", "spec"]), "spec.template.spec")];
}
