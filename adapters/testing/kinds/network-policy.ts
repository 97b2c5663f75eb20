import { isObject, type JsonObject } from "../json.ts";
import { builtInSchema } from "../schema/built-in.ts";
import { normalizeValue } from "../schema/normalize.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { BuiltIn } from "./built-in.ts";
import { ageColumn, nameColumn } from "./columns.ts";

const schemaName = "api.networking.v1.NetworkPolicy";

export const networkPolicy: BuiltIn = {
  group: "networking.k8s.io",
  version: "v1",
  kind: "NetworkPolicy",
  plural: "networkpolicies",
  shortNames: ["netpol"],
  schemaName,
  zero: { metadata: {}, spec: { podSelector: {} } },
  generation: "spec",
  keepsEmptyLists: true,
  setDefaults,
  /** An empty list makes a new generation at every write and is not stored, as on the real server. */
  finish: (object) => normalizeValue(object, builtInSchema(schemaName)) as StoredObject,
  columns: [nameColumn, { name: "Pod-Selector", type: "string", value: selectorText }, ageColumn],
};

function setDefaults(object: StoredObject): StoredObject {
  const given = isObject(object.spec) ? object.spec : {};
  const spec: JsonObject = { podSelector: {}, ...given };
  for (const direction of ["ingress", "egress"]) {
    if (Array.isArray(given[direction])) spec[direction] = (given[direction] as JsonObject[]).map(withProtocols);
  }
  const hasTypes = Array.isArray(given.policyTypes) && given.policyTypes.length > 0;
  if (!hasTypes) {
    const egress = Array.isArray(given.egress) && given.egress.length > 0;
    spec.policyTypes = egress ? ["Ingress", "Egress"] : ["Ingress"];
  }
  return { ...object, spec };
}

function withProtocols(rule: JsonObject): JsonObject {
  if (!Array.isArray(rule.ports)) return rule;
  return { ...rule, ports: (rule.ports as JsonObject[]).map((port) => ({ protocol: "TCP", ...port })) };
}

function selectorText({ spec }: StoredObject): string {
  const selector = (spec as JsonObject).podSelector as JsonObject;
  const labels = Object.entries(isObject(selector.matchLabels) ? selector.matchLabels : {});
  return labels.map(([key, value]) => `${key}=${value}`).join(",") || "<none>";
}
