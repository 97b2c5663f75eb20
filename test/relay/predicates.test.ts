import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Predicate } from "../../functions/contract/index.ts";
import type { KubeObject } from "../../functions/kube/resource.ts";
import { compilePredicate } from "../../infra/relay/predicate/compile.ts";
import { generationValue, passes } from "../../infra/relay/predicate/predicate.ts";
import { type PredicateValue, predicateValue } from "../../infra/relay/predicate/value.ts";
import { objectOf } from "./support/objects.ts";

/** Whether a change from one state to another passes; absent before a creation, and after a deletion. */
function judge(predicate: Predicate, before: KubeObject | undefined, after: KubeObject | undefined): boolean {
  const values: PredicateValue[] = [];
  const compiled = compilePredicate(predicate, values);
  const compared = (object: KubeObject | undefined) =>
    object && {
      generation: generationValue(object.metadata),
      values: values.map((value) => predicateValue(value, object)),
    };
  return passes(predicate, compiled, { before: compared(before), after: compared(after) });
}

type Meta = Partial<KubeObject["metadata"]>;
const at = (meta: Meta, rest: Record<string, unknown> = {}) => objectOf({ name: "a", generation: 1, ...meta }, rest);
const DELETING = "2026-01-01T00:00:00Z";

describe("R6 an update passes where what is asked for changed", () => {
  const one = { labels: { app: "x", note: "1" }, annotations: { "a/b": "1", c: "1" }, finalizers: ["f/x"] };

  it.each<[Predicate, string, boolean, Meta, Meta]>([
    [{ labels: "all" }, "a label", true, one, { ...one, labels: { app: "y", note: "1" } }],
    [{ labels: "all" }, "labels in another order", false, one, { ...one, labels: { note: "1", app: "x" } }],
    [{ labels: "all" }, "an annotation", false, one, { ...one, annotations: {} }],
    [{ labels: ["app"] }, "that label", true, one, { ...one, labels: { app: "y", note: "1" } }],
    [{ labels: ["app"] }, "another label", false, one, { ...one, labels: { app: "x", note: "2" } }],
    [{ labels: ["app"] }, "that label, which is gone", true, one, { ...one, labels: { note: "1" } }],
    [
      { labels: ["app", "b"] },
      "a label that moves to another key",
      true,
      { labels: { app: "1" } },
      { labels: { b: "1" } },
    ],
    [{ labels: ["none"] }, "a label that is missing, still", false, one, { ...one, labels: {} }],
    [{ annotations: "all" }, "an annotation", true, one, { ...one, annotations: { c: "1" } }],
    [{ annotations: ["a/b"] }, "that annotation", true, one, { ...one, annotations: { "a/b": "2", c: "1" } }],
    [{ annotations: ["a/b"] }, "another annotation", false, one, { ...one, annotations: { "a/b": "1", c: "2" } }],
    [{ finalizers: "all" }, "a finalizer", true, one, { ...one, finalizers: ["f/x", "f/y"] }],
    [{ finalizers: "all" }, "a label", false, one, { ...one, labels: {} }],
    [{ anyOf: ["generation"] }, "the generation", true, { generation: 1 }, { generation: 2 }],
    [{ anyOf: ["generation"] }, "a label", false, { labels: {} }, { labels: { a: "b" } }],
    [{ anyOf: ["generation"] }, "a version without a generation", true, { generation: 0 }, { generation: 0 }],
    [{ anyOf: ["resourceVersion"] }, "anything", true, {}, {}],
  ])("%j: %s: %s", (predicate, _, expected, before, after) => {
    expect(judge(predicate, at(before), at({ ...after, resourceVersion: "2" }))).toBe(expected);
  });

  it.each<[string, string, unknown, unknown, boolean]>([
    ["a number", ".spec.n", { n: 1 }, { n: 2 }, true],
    ["the same number", ".spec.n", { n: 1, other: 1 }, { n: 1, other: 2 }, false],
    ["false for 0", ".spec.n", { n: 0 }, { n: false }, true],
    ["a text for a number", ".spec.n", { n: 1 }, { n: "1" }, true],
    ["a list", ".spec.n", { n: [1, 2] }, { n: [2, 1] }, true],
    ["an object within", ".spec", { n: { deep: 1 } }, { n: { deep: 2 } }, true],
    ["a value that comes", ".spec.n", {}, { n: 0 }, true],
    ["a value that goes", ".spec.n", { n: 0 }, {}, true],
    ["nothing, still", ".spec.n.deep", { n: 1 }, { n: 2 }, false],
  ])("a field: %s", (_, field, before, after, expected) => {
    expect(judge({ field }, at({}, { spec: before }), at({}, { spec: after }))).toBe(expected);
  });

  it.each<[string, Predicate]>([
    ["a label", { labels: ["none"] }],
    ["a field", { field: ".spec.none" }],
    ["what is created", { events: ["created"] }],
    ["all of several", { allOf: [{ labels: ["none"] }, { events: ["created"] }] }],
    ["the first with a value", { fallback: [{ labels: ["none"] }, { annotations: ["none"] }] }],
  ])("by %s, the beginning of a deletion and finalizers while deleting pass, and nothing else does", (_, predicate) => {
    const is = { finalizers: ["a/x", "a/y"] };
    const deleting = { ...is, deletionTimestamp: DELETING };
    expect(judge(predicate, at(is), at(deleting))).toBe(true);
    expect(judge(predicate, at(deleting), at({ ...deleting, finalizers: ["a/y"] }))).toBe(true);
    expect(judge(predicate, at(deleting), at({ ...deleting, labels: { a: "b" } }))).toBe(false);
    expect(judge(predicate, at(is), at({ finalizers: ["a/x"] }))).toBe(false);
  });
});

describe("R6 by event", () => {
  it.each<[Predicate, string, string, string]>([
    [{ events: ["created"] }, "passes", "stops", "stops"],
    [{ events: ["updated"] }, "stops", "passes", "stops"],
    [{ events: ["deleted"] }, "stops", "stops", "passes"],
    [{ events: ["created", "deleted"] }, "passes", "stops", "passes"],
    [{ labels: ["app"] }, "passes", "stops", "passes"],
    [{ allOf: [{ events: ["updated", "deleted"] }, { labels: ["app"] }] }, "stops", "stops", "passes"],
    [{ anyOf: [{ events: ["updated"] }, { labels: ["app"] }] }, "passes", "passes", "passes"],
    ["generation", "passes", "stops", "passes"],
    ["resourceVersion", "passes", "passes", "passes"],
  ])("%j: created %s, updated %s, deleted %s", (predicate, created, updated, deleted) => {
    const is = at({ labels: { app: "x" } });
    const told = (passed: boolean) => (passed ? "passes" : "stops");
    expect(told(judge(predicate, undefined, is))).toBe(created);
    expect(told(judge(predicate, is, { ...is, metadata: { ...is.metadata, resourceVersion: "2" } }))).toBe(updated);
    expect(told(judge(predicate, is, undefined))).toBe(deleted);
  });
});

describe("R6 fallback takes the first that has a value", () => {
  const predicate: Predicate = { fallback: [{ labels: ["tier"] }, "generation", { annotations: ["note"] }] };
  const noted = (note: string, meta: Meta = {}) => at({ generation: 0, annotations: { note }, ...meta });

  it.each<[string, boolean, KubeObject, KubeObject]>([
    ["the second, where the first has none", true, noted("1"), noted("2")],
    [
      "nothing of the second, where the first has one",
      false,
      noted("1", { generation: 1 }),
      noted("2", { generation: 1 }),
    ],
    ["the first, where it has one", true, noted("1", { generation: 1 }), noted("1", { generation: 2 })],
    ["a first value of the first", true, noted("1"), noted("1", { generation: 1 })],
    ["a value that the first loses", true, noted("1", { labels: { tier: "1" } }), noted("1")],
    ["a change from nothing to nothing", false, at({ generation: 0 }), at({ generation: 0 })],
  ])("%s: %s", (_, expected, before, after) => {
    expect(judge(predicate, before, after)).toBe(expected);
  });

  it("of several has a value where one of them has", () => {
    const nested: Predicate = { fallback: [{ anyOf: [{ labels: ["a"] }, { labels: ["b"] }] }, "resourceVersion"] };
    expect(judge(nested, at({ labels: { b: "1" } }), at({ labels: { b: "1" } }))).toBe(false);
    expect(judge(nested, at({}), at({}))).toBe(true);
  });
});

describe("R6 several", () => {
  const leaf = fc.constantFrom<Predicate>(
    "resourceVersion",
    { labels: ["a"] },
    { annotations: ["a"] },
    { finalizers: "all" },
    { events: ["created"] },
    { events: ["updated", "deleted"] },
  );
  const texts = fc.constantFrom<Record<string, string>>({}, { a: "1" }, { a: "2" });
  const state = fc
    .record({ labels: texts, annotations: texts, finalizers: fc.constantFrom<string[]>([], ["a/x"]) })
    .map((meta) => at(meta));
  const change = fc.oneof(
    fc.tuple(state, state),
    fc.tuple(fc.constant(undefined), state),
    fc.tuple(state, fc.constant(undefined)),
  );

  it("any of them passes where one does, all of them where each does", () => {
    fc.assert(
      fc.property(fc.array(leaf, { minLength: 1, maxLength: 4 }), change, (each, [before, after]) => {
        const alone = each.map((predicate) => judge(predicate, before, after));
        expect(judge({ anyOf: each }, before, after)).toBe(alone.includes(true));
        expect(judge({ allOf: each }, before, after)).toBe(!alone.includes(false));
      }),
    );
  });

  it("a fallback passes as one of them does, or as they change places", () => {
    fc.assert(
      fc.property(fc.array(leaf, { minLength: 1, maxLength: 4 }), change, (each, [before, after]) => {
        const passed = judge({ fallback: each }, before, after);
        const alone = each.map((predicate) => judge(predicate, before, after));
        if (alone.every((one) => !one)) expect(passed).toBe(false);
        if (alone.every((one) => one)) expect(passed).toBe(true);
      }),
    );
  });
});
