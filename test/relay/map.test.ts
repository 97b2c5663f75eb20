import { describe, expect, it } from "vitest";
import type { OwnerReference } from "../../functions/kube/resource.ts";
import { fieldOf, type Key, keysOf, namesOf } from "../../infra/relay/map/map.ts";
import { createReferences, idOf } from "../../infra/relay/map/references.ts";
import { planWatches, type WatchPlan } from "../../infra/relay/plan/plan.ts";
import { configMaps, documents, manifestOf, namespaces, objectOf, relationOf } from "./support/objects.ts";

const owner = (over: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: "example.com/v1",
  kind: "Document",
  name: "a",
  uid: "u",
  controller: true,
  ...over,
});

/** The second watch of a controller whose relations are its primary and this one. */
function planOf(relation: Parameters<typeof relationOf>[0], primary = documents): WatchPlan {
  const plans = planWatches(
    manifestOf({ c: [relationOf({ watch: { resource: primary } }), relationOf({ id: "r", ...relation })] }),
  );
  return plans.find((plan) => plan.resource.plural === relation.watch.resource.plural)!;
}

function keys(plan: WatchPlan, object: ReturnType<typeof objectOf>): readonly Key[] {
  const relation = plan.relations.at(-1)!;
  const { namespace, name } = object.metadata;
  return keysOf(relation, idOf(namespace, name), namesOf(relation, object), createReferences());
}

describe("R4 by owner", () => {
  const child = (...ownerReferences: OwnerReference[]) => objectOf({ name: "child", namespace: "ns", ownerReferences });
  const byOwner = (kind: "controller" | "any") =>
    planOf({ watch: { resource: configMaps }, mapping: { by: "owner", owner: kind } });
  const a = [{ controller: "c", namespace: "ns", name: "a" }];

  it.each<[string, "controller" | "any", OwnerReference, Key[]]>([
    ["the controller", "controller", owner(), a],
    ["F8 by group and kind, not by version", "controller", owner({ apiVersion: "example.com/v1beta1" }), a],
    ["not another group", "controller", owner({ apiVersion: "example.org/v1" }), []],
    ["not another kind", "controller", owner({ kind: "Other" }), []],
    ["not an owner that is no controller", "controller", owner({ controller: false }), []],
    ["any owner where asked for", "any", owner({ controller: false }), a],
  ])("%s", (_, kind, reference, expected) => {
    expect(keys(byOwner(kind), child(reference))).toEqual(expected);
  });

  it("a kind of the core group", () => {
    const plan = planOf({ watch: { resource: documents }, mapping: { by: "owner", owner: "controller" } }, configMaps);
    const owned = child(owner({ apiVersion: "v1", kind: "ConfigMap" }));
    expect(keys(plan, owned)).toEqual(a);
  });

  it("all of several owners", () => {
    const owned = child(owner(), owner({ name: "b" }), owner({ name: "x", kind: "Other" }));
    expect(keys(byOwner("any"), owned).map(({ name }) => name)).toEqual(["a", "b"]);
  });

  it("a cluster-scoped primary of a namespaced child has no namespace", () => {
    const plan = planOf({ watch: { resource: configMaps }, mapping: { by: "owner", owner: "controller" } }, namespaces);
    expect(keys(plan, child(owner({ apiVersion: "v1", kind: "Namespace" })))).toEqual([{ controller: "c", name: "a" }]);
  });
});

describe("R4 by label", () => {
  const byLabel = planOf({ watch: { resource: configMaps }, mapping: { by: "label", label: "example.com/document" } });
  const labelled = (value: string) =>
    objectOf({ name: "cm", namespace: "ns", labels: { "example.com/document": value } });

  it("names the primary, in the object's namespace", () => {
    expect(keys(byLabel, labelled("a"))).toEqual([{ controller: "c", namespace: "ns", name: "a" }]);
  });

  it("without the label, or with an empty one, is nobody's", () => {
    expect(keys(byLabel, objectOf({ name: "cm" }))).toEqual([]);
    expect(keys(byLabel, labelled(""))).toEqual([]);
  });

  it("names a cluster-scoped primary without a namespace", () => {
    const plan = planOf({ watch: { resource: configMaps }, mapping: { by: "label", label: "l" } }, namespaces);
    const object = objectOf({ name: "cm", namespace: "ns", labels: { l: "a" } });
    expect(keys(plan, object)).toEqual([{ controller: "c", name: "a" }]);
  });

  it("of an object outside all namespaces cannot name a namespaced primary", () => {
    const plan = planOf({ watch: { resource: namespaces }, mapping: { by: "label", label: "l" } });
    const { namespace: _, ...meta } = objectOf({ name: "ns", labels: { l: "a" } }).metadata;
    expect(keys(plan, { ...objectOf({ name: "ns" }), metadata: meta })).toEqual([]);
  });
});

describe("a field of an object", () => {
  const object = objectOf(
    { name: "a", annotations: { note: "n" } },
    { spec: { secretName: "s", count: 3, deep: { x: "y" } } },
  );
  it.each([
    [".spec.secretName", "s"],
    [".spec.deep.x", "y"],
    [".metadata.annotations.note", "n"],
    [".spec.none", ""],
    [".none.none", ""],
    [".spec.count", ""],
    [".spec.secretName.more", ""],
  ])("%s is %j", (path, expected) => {
    expect(fieldOf(object, path)).toBe(expected);
  });
});
