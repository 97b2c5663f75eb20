import type { Case } from "../case.ts";
import { CRDS } from "./samples.ts";

const GROUP = "r{id}.example.com";
const crd = (version: object, spec: object = {}) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `things.${GROUP}` },
  spec: {
    group: GROUP,
    scope: "Namespaced",
    names: { plural: "things", kind: "Thing" },
    versions: [{ name: "v1", served: true, storage: true, ...version }],
    ...spec,
  },
});
const root = (schema: object) => ({ schema: { openAPIV3Schema: { type: "object", ...schema } } });
const field = (schema: object) => root({ properties: { f: schema } });
const refused = (name: string, version: object, spec?: object): Case => ({
  name: `a CRD with ${name} is a 422`,
  steps: [{ request: `POST ${CRDS}?dryRun=All`, body: crd(version, spec) }],
});
const taken = (name: string, version: object): Case => ({
  name: `a CRD with ${name} is taken`,
  steps: [{ request: `POST ${CRDS}?dryRun=All`, body: crd(version) }],
});
const set = (items: object) => field({ type: "array", "x-kubernetes-list-type": "set", items });
const scaled = (scale: object) => ({ ...root({}), subresources: { scale } });
const preserve = { "x-kubernetes-preserve-unknown-fields": true };

/** CRDs that the API server refuses, and some that are almost so. */
export const crdRefusals: readonly Case[] = [
  refused("a pattern that is none", field({ type: "string", pattern: "(" })),
  refused("unique items", field({ type: "array", uniqueItems: true, items: { type: "string" } })),
  refused("a set of objects", set({ type: "object", properties: { a: { type: "string" } } })),
  taken("a set of lists", set({ type: "array", items: { type: "string" } })),
  taken(
    "a set of atomic objects",
    set({ type: "object", "x-kubernetes-map-type": "atomic", properties: { a: { type: "string" } } }),
  ),
  refused("a type within allOf", field({ type: "object", allOf: [{ type: "object" }] })),
  refused("a type within anyOf", field({ type: "string", anyOf: [{ type: "string", minLength: 1 }] })),
  refused("a default within not", field({ type: "string", not: { default: "x" } })),
  taken("an empty field of allOf", field({ type: "object", allOf: [{ properties: { a: {} } }] })),
  taken(
    "an integer or a string in words",
    field({ "x-kubernetes-int-or-string": true, allOf: [{ anyOf: [{ type: "integer" }, { type: "string" }] }] }),
  ),
  refused("a look-ahead", field({ type: "string", pattern: "^(?=a).*$" })),
  refused("a deep type within oneOf", field({ ...preserve, oneOf: [{ properties: { a: { type: "string" } } }] })),
  refused("preserved fields that are not", field({ type: "object", "x-kubernetes-preserve-unknown-fields": false })),
  refused("more metadata than names", root({ properties: { metadata: { type: "object", properties: { a: {} } } } })),
  refused(
    "labels in its metadata",
    root({ properties: { metadata: { type: "object", properties: { labels: { type: "object" } } } } }),
  ),
  taken(
    "a pattern of names",
    root({ properties: { metadata: { type: "object", properties: { name: { type: "string", pattern: "^a" } } } } }),
  ),
  refused("replicas outside of spec", scaled({ specReplicasPath: ".status.n", statusReplicasPath: ".status.n" })),
  refused("replicas without a dot", scaled({ specReplicasPath: "spec.n", statusReplicasPath: "status.n" })),
  refused("replicas outside of status", scaled({ specReplicasPath: ".spec.n", statusReplicasPath: ".spec.n" })),
  refused(
    "a selector that is in neither",
    scaled({ specReplicasPath: ".spec.n", statusReplicasPath: ".status.n", labelSelectorPath: ".metadata.x" }),
  ),
  refused("all unknown fields preserved", root({}), { preserveUnknownFields: true }),
  refused(
    "a map type of a list",
    field({ type: "array", "x-kubernetes-map-type": "atomic", items: { type: "string" } }),
  ),
  refused("an unknown map type", field({ type: "object", "x-kubernetes-map-type": "x" })),
];
