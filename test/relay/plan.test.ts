import { describe, expect, it } from "vitest";
import { planWatches } from "../../infra/relay/plan/plan.ts";
import { configMaps, documents, manifestOf, namespaces, relationOf, secrets } from "./support/objects.ts";

const primary = relationOf({ watch: { resource: documents }, predicate: "generation" });
const owned = (over: Partial<Parameters<typeof relationOf>[0]> = {}) =>
  relationOf({
    id: "owns/ConfigMap",
    watch: { resource: configMaps },
    mapping: { by: "owner", owner: "controller" },
    ...over,
  });

describe("R8 one watch per resource, namespace and selector", () => {
  it("is shared by all controllers", () => {
    const plans = planWatches(manifestOf({ a: [primary, owned()], b: [primary, owned()] }));
    expect(plans.map(({ id }) => id)).toEqual(["/apis/example.com/v1/documents", "/api/v1/configmaps"]);
    expect(plans.map(({ relations }) => relations.map(({ controller }) => controller))).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
  });

  it("is the same whatever the order of the labels", () => {
    const one = owned({ watch: { resource: configMaps, matchLabels: { x: "1", y: "2" } } });
    const two = owned({ watch: { resource: configMaps, matchLabels: { y: "2", x: "1" } } });
    expect(planWatches(manifestOf({ a: [primary, one], b: [primary, two] }))).toHaveLength(2);
  });

  it("is another one for other labels, another namespace or another version", () => {
    const watches = [
      { resource: configMaps },
      { resource: configMaps, matchLabels: { x: "1" } },
      { resource: configMaps, namespaces: ["n"] },
      { resource: { ...configMaps, version: "v2" } },
    ];
    const relations = watches.map((watch, i) => owned({ id: `r${i}`, watch }));
    expect(planWatches(manifestOf({ a: [primary, ...relations] }))).toHaveLength(5);
  });

  it("is one in each namespace", () => {
    const relation = owned({ watch: { resource: configMaps, namespaces: ["m", "n", "m"] } });
    expect(planWatches(manifestOf({ a: [primary, relation] })).map(({ namespace }) => namespace)).toEqual([
      undefined,
      "m",
      "n",
    ]);
  });

  it("is one for a cluster-scoped kind, whatever the namespaces", () => {
    const relation = relationOf({ watch: { resource: namespaces, namespaces: ["m", "n"] } });
    expect(planWatches(manifestOf({ a: [relation] })).map(({ path }) => path)).toEqual(["/api/v1/namespaces"]);
  });
});

describe("R3 what a watch keeps", () => {
  it("is the fields by which primaries name others, each once", () => {
    const named = (id: string) =>
      relationOf({ id, watch: { resource: secrets }, mapping: { by: "namedBy", field: ".spec.secretName" } });
    const [plan] = planWatches(manifestOf({ a: [primary, named("x")], b: [primary, named("y")] }));
    expect(plan).toMatchObject({ fields: [".spec.secretName"], fullObjects: true });
    expect(plan!.relations.map(({ references }) => references.map(({ index }) => index))).toEqual([["a/x"], ["b/y"]]);
  });

  it("is the field managers whose writes a relation ignores", () => {
    const plans = planWatches(manifestOf({ a: [primary, owned({ ownWrites: "ignore" })], b: [primary, owned()] }));
    expect(plans.map(({ managers }) => managers)).toEqual([[], ["a"]]);
    expect(plans[1]!.relations.map(({ manager }) => manager)).toEqual([0, undefined]);
  });
});

it("a controller without a primary is refused by name", () => {
  expect(() => planWatches(manifestOf({ broken: [owned()] }))).toThrow(
    'controller broken: no relation is mapped by "self"',
  );
});
