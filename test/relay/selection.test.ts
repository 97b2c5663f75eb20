import { describe, expect, it } from "vitest";
import type { Mapping, Predicate, WatchSpec } from "../../functions/contract/index.ts";
import { planWatches } from "../../infra/relay/plan/plan.ts";
import { fieldSelectorOf, labelSelectorOf } from "../../infra/relay/plan/selection.ts";
import { configMaps, documents, manifestOf, relationOf, secrets } from "./support/objects.ts";

describe("a label selector, as the API server reads it", () => {
  it.each<[Omit<WatchSpec, "resource">, string]>([
    [{}, ""],
    [{ matchLabels: { b: "2", a: "1" } }, "a=1,b=2"],
    [{ matchLabels: { "x.io/a": "" } }, "x.io/a="],
    [{ matchExpressions: [{ key: "a", operator: "In", values: ["z", "y"] }] }, "a in (y,z)"],
    [{ matchExpressions: [{ key: "a", operator: "NotIn", values: ["y"] }] }, "a notin (y)"],
    [{ matchExpressions: [{ key: "a", operator: "Exists" }] }, "a"],
    [{ matchExpressions: [{ key: "a", operator: "DoesNotExist" }] }, "!a"],
    [{ matchLabels: { b: "1" }, matchExpressions: [{ key: "a", operator: "Exists" }] }, "a,b=1"],
  ])("%j: %s", (selector, expected) => {
    expect(labelSelectorOf(selector)).toBe(expected);
  });
});

describe("a field selector, as the API server reads it", () => {
  it.each<[Record<string, string>, string]>([
    [{}, ""],
    [{ ".metadata.name": "a" }, "metadata.name=a"],
    [{ ".spec.nodeName": "n", ".metadata.name": "a" }, "metadata.name=a,spec.nodeName=n"],
    [{ ".spec.x": "a,b=c\\d" }, "spec.x=a\\,b\\=c\\\\d"],
  ])("%j: %s", (matchFields, expected) => {
    expect(fieldSelectorOf({ resource: configMaps, matchFields })).toBe(expected);
  });
});

const primary = relationOf({ watch: { resource: documents }, predicate: "generation" });
const related = (over: { watch?: WatchSpec; mapping?: Mapping; predicate?: Predicate; id?: string } = {}) =>
  relationOf({ id: "r", watch: { resource: configMaps }, mapping: { by: "label", label: "doc" }, ...over });
const plansOf = (...relations: ReturnType<typeof related>[]) => planWatches(manifestOf({ a: [primary, ...relations] }));

describe("R8 one watch for each selector", () => {
  it("by field too, and none is shared by chance", () => {
    const watches: Omit<WatchSpec, "resource">[] = [
      {},
      { matchLabels: { "metadata.name": "a" } },
      { matchFields: { ".metadata.name": "a" } },
      { matchLabels: { x: "1" }, matchFields: { ".metadata.name": "a" } },
    ];
    const relations = watches.map((watch, i) => related({ id: `r${i}`, watch: { resource: configMaps, ...watch } }));
    const plans = plansOf(...relations).slice(1);
    expect(new Set(plans.map(({ id }) => id)).size).toBe(4);
    expect(plans.map(({ labelSelector, fieldSelector }) => [labelSelector, fieldSelector])).toEqual([
      [undefined, undefined],
      ["metadata.name=a", undefined],
      [undefined, "metadata.name=a"],
      ["x=1", "metadata.name=a"],
    ]);
  });
});

describe("a watch asks for whole objects only where something lies outside of the metadata", () => {
  it.each<[string, Parameters<typeof related>[0], boolean]>([
    ["a mapping by label", {}, false],
    ["a mapping by annotation", { mapping: { by: "annotation", annotation: "a" } }, false],
    ["a mapping by a field of the metadata", { mapping: { by: "field", field: ".metadata.generateName" } }, false],
    ["a mapping by another field", { mapping: { by: "field", field: ".data.doc" } }, true],
    ["a mapping by code of metadata", { mapping: { by: "code", code: "c", objects: "metadata" } }, false],
    ["a mapping by code", { mapping: { by: "code", code: "c", objects: "full" } }, true],
    ["a predicate by labels", { predicate: { labels: "all" } }, false],
    ["a predicate by a field of the metadata", { predicate: { field: ".metadata.labels.x" } }, false],
    [
      "a predicate by another field, within others",
      { predicate: { anyOf: [{ allOf: [{ field: ".data.x" }] }] } },
      true,
    ],
  ])("%s: %s", (_, over, expected) => {
    expect(plansOf(related(over)).at(-1)).toMatchObject({ fullObjects: expected });
  });
});

it("R3 what several predicates compare is kept once", () => {
  const predicates: Predicate[] = [
    { labels: ["b", "a"] },
    { anyOf: [{ labels: ["a", "b"] }, { annotations: "all" }] },
    { fallback: [{ annotations: "all" }, "resourceVersion"] },
    "resourceVersion",
  ];
  const plan = plansOf(...predicates.map((predicate, i) => related({ id: `r${i}`, predicate }))).at(-1);
  expect(plan?.values).toEqual([
    { of: "deletion" },
    { of: "labels", keys: ["a", "b"] },
    { of: "annotations", keys: "all" },
  ]);
});

describe("namespaces by label", () => {
  const selected = (over: Partial<WatchSpec> = {}) =>
    related({ watch: { resource: secrets, namespaceSelector: { matchLabels: { team: "x" } }, ...over } });
  const planned = (places: readonly string[] | "all" | undefined, ...relations: ReturnType<typeof related>[]) =>
    planWatches(manifestOf({ a: [primary, ...relations] }), "", () => places)
      .slice(1)
      .map(({ id, relations }) => `${id} ${relations.map(({ within }) => within ?? "all").join()}`.trim());

  it("are watched themselves, and nothing in them before they are known", () => {
    expect(planned(undefined, selected())).toEqual(["/api/v1/namespaces?team=x"]);
  });

  it("get a watch each", () => {
    expect(planned(["m", "n"], selected())).toEqual([
      "/api/v1/namespaces?team=x",
      "/api/v1/namespaces/m/secrets all",
      "/api/v1/namespaces/n/secrets all",
    ]);
  });

  it("are served by one watch of all where they are too many, which others share", () => {
    expect(planned("all", selected(), related({ id: "s", watch: { resource: secrets } }))).toEqual([
      "/api/v1/namespaces?team=x",
      "/api/v1/secrets team=x,all",
    ]);
  });
});

it("R10 of namespaces by label a relay watches those that it is for", () => {
  const watch = { resource: secrets, namespaces: ["m", "o"], namespaceSelector: { matchLabels: { team: "x" } } };
  const planned = (places: readonly string[] | "all") =>
    planWatches(manifestOf({ a: [primary, related({ watch })] }), "", () => places)
      .slice(2)
      .map(({ id, relations }) => `${id} ${relations.map(({ within }) => within ?? "all").join()}`);
  expect(planned(["m", "n"])).toEqual(["/api/v1/namespaces/m/secrets all"]);
  expect(planned("all")).toEqual(["m", "o"].map((name) => `/api/v1/namespaces/${name}/secrets team=x`));
});
