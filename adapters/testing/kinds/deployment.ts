import { isObject, type JsonObject } from "../json.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { BuiltIn } from "./built-in.ts";
import { ageColumn, nameColumn } from "./columns.ts";
import { podSpecWithDefaults } from "./pod-spec.ts";

export const deployment: BuiltIn = {
  group: "apps",
  version: "v1",
  kind: "Deployment",
  plural: "deployments",
  shortNames: ["deploy"],
  categories: ["all"],
  schemaName: "api.apps.v1.Deployment",
  zero: { metadata: {}, spec: { strategy: {}, template: { metadata: {}, spec: {} } }, status: {} },
  status: true,
  scale: {
    replicas: ["spec", "replicas"],
    statusReplicas: ["status", "replicas"],
    selector: ["spec", "selector"],
  },
  generation: "spec",
  setDefaults,
  prepareCreate: (object) => ({ ...object, status: {} }),
  columns: [nameColumn, ageColumn],
};

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
