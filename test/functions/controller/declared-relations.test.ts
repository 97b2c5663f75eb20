import { describe, expect, expectTypeOf, it } from "vitest";
import { manifest as manifestSchema, type Predicate } from "../../../functions/contract/index.ts";
import { awaitChange } from "../../../functions/controller/action.ts";
import { defineController } from "../../../functions/controller/define-controller.ts";
import { controllerManifestOf, manifestOf, mapToOf } from "../../../functions/controller/manifest.ts";
import { ConfigMap, Deployment, Namespace, Node, Pod, Secret } from "../../../functions/kinds.ts";
import { Document, documents } from "./documents.ts";

const mapTo = () => [];
const relationsOf = (options: object) => controllerManifestOf(documents(options as never)).relations;

describe("a declaration becomes its part of the manifest", () => {
  it("predicates: as they are written, of the primary and of each relation", () => {
    const either: Predicate = { anyOf: ["generation", { annotations: ["example.com/pause"] }] };
    const relations = relationsOf({
      predicate: either,
      owns: [{ resource: ConfigMap, predicate: { events: ["deleted"] } }],
      watches: [
        { resource: Secret, namedBy: ".spec.secretName", predicate: { field: ".data" } },
        { resource: Pod, byLabel: "a" },
      ],
    });
    expect(relations.map(({ predicate }) => predicate)).toEqual([
      either,
      { events: ["deleted"] },
      { field: ".data" },
      "resourceVersion",
    ]);
  });

  it("mappings: by one field each, or by code", () => {
    const relations = relationsOf({
      watches: [
        { resource: Secret, byAnnotation: "example.com/document" },
        { resource: Pod, byField: ".spec.nodeName" },
        { resource: Node, mapTo },
        { resource: ConfigMap, mapTo, objects: "metadata" },
      ],
    });
    expect(relations.slice(1).map(({ id, mapping }) => [id, mapping])).toEqual([
      ["watches/Secret", { by: "annotation", annotation: "example.com/document" }],
      ["watches/Pod", { by: "field", field: ".spec.nodeName" }],
      ["watches/Node", { by: "code", code: expect.any(String), objects: "full" }],
      ["watches/ConfigMap", { by: "code", code: expect.any(String), objects: "metadata" }],
    ]);
  });

  it("code is found by its relation, and is another one where its text is", () => {
    const controller = documents({ owns: [{ resource: ConfigMap }], watches: [{ resource: Node, mapTo }] });
    expect(mapToOf(controller as never, "watches/Node")).toBe(mapTo);
    for (const other of ["for", "owns/ConfigMap", "watches/Pod"])
      expect(mapToOf(controller as never, other)).toBeUndefined();
    const code = (mapTo: () => { name: string }[]) => relationsOf({ watches: [{ resource: Node, mapTo }] })[1]?.mapping;
    expect(code(() => [{ name: "a" }])).toEqual(code(() => [{ name: "a" }]));
    expect(code(() => [{ name: "a" }])).not.toEqual(code(() => [{ name: "b" }]));
  });

  it("selectors: of the primary and of each relation; namespaces by label hold for all of them", () => {
    const matchExpressions = [{ key: "a", operator: "In", values: ["b"] }];
    const relations = relationsOf({
      namespaces: { matchLabels: { team: "x" } },
      selector: { matchExpressions, matchFields: { ".metadata.name": "a" } },
      owns: [{ resource: ConfigMap, selector: { matchLabels: { made: "by-us" } } }],
      watches: [{ resource: Node, mapTo }],
    });
    const namespaceSelector = { matchLabels: { team: "x" } };
    expect(relations.map(({ watch: { resource: _, ...watch } }) => watch)).toEqual([
      { matchExpressions, matchFields: { ".metadata.name": "a" }, namespaceSelector },
      { matchLabels: { made: "by-us" }, namespaceSelector },
      {},
    ]);
  });

  it("is what the wire takes", async () => {
    const controller = documents({
      namespaces: { matchExpressions: [{ key: "team", operator: "Exists" }] },
      selector: { matchFields: { ".metadata.name": "a" } },
      predicate: { fallback: ["generation", { labels: "all" }] },
      watches: [{ resource: Secret, mapTo }],
    });
    const declared = await manifestOf([controller as never]);
    expect(manifestSchema.parse(JSON.parse(JSON.stringify(declared)))).toEqual(declared);
  });
});

describe("X2 RBAC", () => {
  const rulesOf = (options: object, plural: string) =>
    controllerManifestOf(documents(options as never)).rbac.filter(({ resources }) => resources[0] === plural);

  it("what leads to a primary is read and found, what is named is read by its name", () => {
    const verbs = (watch: object) => rulesOf({ watches: [{ resource: Secret, ...watch }] }, "secrets")[0]?.verbs;
    for (const lead of [{ byLabel: "a" }, { byAnnotation: "a" }, { byField: ".data.a" }, { mapTo }])
      expect(verbs(lead)).toEqual(["get", "list"]);
    expect(verbs({ namedBy: ".spec.a" })).toEqual(["get"]);
  });

  it("namespaces by label are read, and rules hold in all of them, since they come and go", () => {
    const options = { namespaces: { matchLabels: { team: "x" } }, owns: [{ resource: Deployment }] };
    expect(rulesOf(options, "namespaces")).toEqual([{ apiGroups: [""], resources: ["namespaces"], verbs: ["get"] }]);
    expect(rulesOf(options, "deployments")[0]).not.toHaveProperty("namespaces");
    expect(rulesOf({ namespaces: ["a"] }, "namespaces")).toEqual([]);
  });
});

describe("errors name the field and what is wanted", () => {
  const watch = (rest: object) => ({ watches: [{ resource: Secret, ...rest }] });
  const owned = (rest: object) => ({ owns: [{ resource: ConfigMap, ...rest }] });

  it.each<[object, string]>([
    [{ predicate: "status" }, 'predicate: must be "generation", "resourceVersion", or an object with one of labels,'],
    [{ predicate: { label: "all" } }, "predicate: must be"],
    [{ predicate: { labels: "all", field: ".a" } }, "predicate: must be"],
    [{ predicate: null }, "predicate: must be"],
    [{ predicate: [] }, "predicate: must be"],
    [{ predicate: { labels: [] } }, 'predicate.labels: must be "all" or a list of keys'],
    [{ predicate: { annotations: "a" } }, 'predicate.annotations: must be "all" or a list of keys'],
    [{ predicate: { finalizers: ["a"] } }, 'predicate.finalizers: must be "all"'],
    [{ predicate: { field: "spec.a" } }, "predicate.field: must be a field path like .spec.replicas"],
    [{ predicate: { events: ["changed"] } }, "predicate.events: must be a list of created, updated, deleted"],
    [{ predicate: { anyOf: [] } }, "predicate.anyOf: must be a list of 1 to 16"],
    [{ predicate: { allOf: Array(17).fill("generation") } }, "predicate.allOf: must be a list of 1 to 16"],
    [{ predicate: { anyOf: ["generation", { fallback: [{ labels: 1 }] }] } }, "predicate.anyOf[1].fallback[0].labels:"],
    [owned({ predicate: "any" }), "owns[0].predicate: must be"],
    [watch({ byLabel: "a", predicate: { events: [] } }), "watches[0].predicate.events: must be"],
    [watch({ byAnnotation: "a b" }), "watches[0].byAnnotation: must be a label key"],
    [watch({ byField: "data" }), "watches[0].byField: must be a field path"],
    [watch({ mapTo: "a" }), "watches[0].mapTo: must be a function"],
    [watch({ mapTo, byLabel: "a" }), "watches[0]: needs one of namedBy, byLabel, byAnnotation, byField, mapTo"],
    [watch({ byLabel: "a", objects: "full" }), "watches[0].objects: says what mapTo gets, and there is none"],
    [watch({ mapTo, objects: "some" }), 'watches[0].objects: must be "full" or "metadata"'],
    [{ watches: [{ resource: Node, byField: ".spec.a" }] }, "watches[0]: a Node has no namespace"],
    [{ watches: [{ resource: Node, byAnnotation: "a" }] }, "watches[0]: a Node has no namespace"],
    [
      {
        watches: [
          { resource: Secret, mapTo },
          { resource: Secret, mapTo: () => [] },
        ],
      },
      "watches[1]: is the same as",
    ],
    [{ selector: { matchExpressions: {} } }, "selector.matchExpressions: must be a list"],
    [
      { selector: { matchExpressions: [{ key: "a b", operator: "Exists" }] } },
      "matchExpressions[0].key: is no label key",
    ],
    [{ selector: { matchExpressions: [{ operator: "Exists" }] } }, "matchExpressions[0].key: is no label key"],
    [{ selector: { matchExpressions: [{ key: 5, operator: "Exists" }] } }, "matchExpressions[0].key: is no label key"],
    [
      { selector: { matchExpressions: [{ key: "a", operator: "Gt" }] } },
      "[0].operator: must be one of In, NotIn, Exists",
    ],
    [{ selector: { matchExpressions: [{ key: "a", operator: "In" }] } }, "[0].values: must be a list for In and NotIn"],
    [
      { selector: { matchExpressions: [{ key: "a", operator: "Exists", values: ["b"] }] } },
      "selector.matchExpressions[0].values: must be a list for In and NotIn, and left out for others",
    ],
    [{ selector: { matchExpressions: [{ key: "a", operator: "In", values: ["b c"] }] } }, "values: is no label value"],
    [{ selector: { matchExpressions: [{ key: "a", op: "In" }] } }, "matchExpressions[0].op: is no option of"],
    [{ selector: { matchFields: { name: "a" } } }, 'selector.matchFields["name"]: must be a field path like .metadata'],
    [{ selector: { matchFields: { ".spec.n": 1 } } }, 'selector.matchFields[".spec.n"]: must be a field path'],
    [owned({ selector: {} }), "owns[0].selector: must name at least 1 label or field"],
    [watch({ byLabel: "a", selector: { labels: {} } }), "watches[0].selector.labels: is no option of selector"],
    [{ namespaces: {} }, "namespaces: must name at least 1 label"],
    [{ namespaces: { matchLabels: { "a b": "c" } } }, 'namespaces.matchLabels["a b"]: is no label key'],
    [{ namespaces: { matchFields: { ".metadata.name": "a" } } }, "namespaces.matchFields: is no option of namespaces"],
    [{ namespaces: "abc" }, "namespaces: must be a list of names, or select them by labels"],
    [{ for: Namespace, namespaces: { matchLabels: { a: "b" } } }, "namespaces: Namespace is cluster-scoped"],
  ])("%j", (options, message) => {
    const define = (): unknown => documents(options as never);
    expect(define).toThrow(TypeError);
    expect(define).toThrow(message);
    expect(define).toThrow(/^controller documents: /);
  });
});

it("types: one way to lead to a primary, and code that knows its environment", () => {
  type Env = { TEAM: string };
  const define = defineController<Env>();
  const base = { name: "documents", for: Document, reconcile: () => awaitChange() } as const;
  define({
    ...base,
    watches: [
      {
        resource: Secret,
        mapTo(secret: Secret, { env, cluster, deleted }) {
          expectTypeOf(env).toEqualTypeOf<Env>();
          expectTypeOf(cluster).toEqualTypeOf<string>();
          expectTypeOf(deleted).toEqualTypeOf<boolean>();
          return [{ namespace: "default", name: secret.metadata.name }];
        },
      },
    ],
  });
  // @ts-expect-error two ways at once
  expect(() => define({ ...base, watches: [{ resource: Secret, byLabel: "a", byField: ".b" }] })).toThrow();
  // @ts-expect-error a predicate that there is not
  expect(() => define({ ...base, predicate: { status: "all" } })).toThrow();
  // @ts-expect-error keys without a name
  define({ ...base, watches: [{ resource: Secret, mapTo: () => [{ namespace: "a" }] }] });
});
