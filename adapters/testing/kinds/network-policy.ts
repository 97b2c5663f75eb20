import { equal, isObject } from "../json.ts";
import type { BuiltIn } from "./built-in.ts";

export const networkPolicy: BuiltIn = {
  group: "networking.k8s.io",
  version: "v1",
  kind: "NetworkPolicy",
  plural: "networkpolicies",
  shortNames: ["netpol"],
  schemaName: "api.networking.v1.NetworkPolicy",
  zero: { metadata: {}, spec: {} },
  generation: "spec",
  setDefaults: (object) => {
    const spec = isObject(object.spec) ? object.spec : {};
    if (spec.policyTypes !== undefined) return object;
    const types = spec.egress === undefined ? ["Ingress"] : ["Ingress", "Egress"];
    return { ...object, spec: { podSelector: {}, ...spec, policyTypes: types } };
  },
};

export function sameSpec(a: unknown, b: unknown): boolean {
  return equal(a, b);
}
