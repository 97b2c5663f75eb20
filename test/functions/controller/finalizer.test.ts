import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FinalizerState, nextStep } from "../../../functions/controller/finalizer.ts";
import type { KubeObject, ObjectMeta } from "../../../functions/kube/resource.ts";
import { FINALIZER } from "./documents.ts";

const OTHER = "example.org/other";
const NOW = "2026-01-01T00:00:00Z";

const object = (metadata: Partial<ObjectMeta> = {}): KubeObject => ({
  apiVersion: "example.com/v1",
  kind: "Document",
  metadata: { name: "a", namespace: "default", uid: "u-1", resourceVersion: "1", ...metadata },
});
const state = (fields: Partial<FinalizerState> = {}): FinalizerState => ({
  finalizer: FINALIZER,
  excluded: false,
  ...fields,
});

const deleting = { deletionTimestamp: NOW };
const held = { finalizers: [OTHER, FINALIZER] };
const add = { do: "patch", purpose: "add the finalizer" };
const remove = { do: "patch", purpose: "remove the finalizer" };

describe("F3 the next step", () => {
  it.each<[string, Partial<ObjectMeta>, Partial<FinalizerState>, object]>([
    ["no finalizer wanted", {}, { finalizer: undefined }, { do: "reconcile" }],
    ["no finalizer wanted, others' held", { finalizers: [OTHER] }, { finalizer: undefined }, { do: "reconcile" }],
    ["no finalizer wanted, deleting", deleting, { finalizer: undefined }, { do: "leave" }],
    ["no finalizer wanted, excluded", {}, { finalizer: undefined, excluded: true }, { do: "leave" }],
    ["not held", {}, {}, add],
    ["only others' held", { finalizers: [OTHER] }, {}, add],
    ["held", held, {}, { do: "reconcile" }],
    ["not held, deleting", deleting, {}, { do: "leave" }],
    ["not held, excluded", {}, { excluded: true }, { do: "leave" }],
    ["held, deleting", { ...held, ...deleting }, {}, { do: "cleanup" }],
    ["F1 held, excluded though not deleting", held, { excluded: true }, { do: "cleanup" }],
    ["held, deleting, cleaned up", { ...held, ...deleting }, { cleanedUid: "u-1" }, remove],
    ["F1 held, excluded, cleaned up", held, { excluded: true, cleanedUid: "u-1" }, remove],
    ["released, others' held", { finalizers: [OTHER], ...deleting }, { cleanedUid: "u-1" }, { do: "leave" }],
    ["F4 its predecessor was cleaned up", { ...held, ...deleting }, { cleanedUid: "u-0" }, { do: "cleanup" }],
    ["F4 it came after the cleanup", held, { cleanedUid: "u-0" }, { do: "reconcile" }],
  ])("%s", (_, metadata, fields, expected) => {
    expect(nextStep(object(metadata), state(fields))).toMatchObject(expected);
  });

  it("the finalizer is added where none was, and only there", () => {
    expect(nextStep(object(), state())).toMatchObject({
      operations: [
        { op: "test", path: "/metadata/finalizers", value: null },
        { op: "add", path: "/metadata/finalizers", value: [FINALIZER] },
      ],
    });
  });

  it("the finalizer is added behind those that were read, and only to those", () => {
    expect(nextStep(object({ finalizers: [OTHER] }), state())).toMatchObject({
      operations: [
        { op: "test", path: "/metadata/finalizers", value: [OTHER] },
        { op: "add", path: "/metadata/finalizers/-", value: FINALIZER },
      ],
    });
  });

  it("the finalizer is removed where it stands, and only if it stands there", () => {
    expect(nextStep(object({ ...held, ...deleting }), state({ cleanedUid: "u-1" }))).toMatchObject({
      operations: [
        { op: "test", path: "/metadata/finalizers/1", value: FINALIZER },
        { op: "remove", path: "/metadata/finalizers/1" },
      ],
    });
  });
});

describe("F3 whatever an object looks like", () => {
  const objects = fc
    .record({
      uid: fc.constantFrom("u-1", "u-2"),
      finalizers: fc.option(fc.uniqueArray(fc.constantFrom(FINALIZER, OTHER, "x/y")), { nil: undefined }),
      deletionTimestamp: fc.option(fc.constant(NOW), { nil: undefined }),
    })
    .map(object);
  const states = fc.record({
    finalizer: fc.option(fc.constant(FINALIZER), { nil: undefined }),
    excluded: fc.boolean(),
    cleanedUid: fc.constantFrom(undefined, "u-1", "u-2"),
  });
  const isHeld = ({ metadata }: KubeObject) => metadata.finalizers?.includes(FINALIZER) ?? false;

  it("the user's code never runs without the finalizer, or on what is being deleted", () => {
    fc.assert(
      fc.property(objects, states, (given, known) => {
        if (nextStep(given, known).do !== "reconcile") return;
        expect([given.metadata.deletionTimestamp, known.excluded]).toEqual([undefined, false]);
        if (known.finalizer) expect(isHeld(given)).toBe(true);
      }),
    );
  });

  it("the finalizer never goes before this very object was cleaned up", () => {
    fc.assert(
      fc.property(objects, states, (given, known) => {
        const step = nextStep(given, known);
        if (step.do === "patch" && step.purpose === "remove the finalizer")
          expect(known.cleanedUid).toBe(given.metadata.uid);
      }),
    );
  });

  it("an object is never left while it holds our finalizer, and none comes to one that is being deleted", () => {
    fc.assert(
      fc.property(objects, states, (given, known) => {
        const step = nextStep(given, known);
        if (step.do === "leave" && known.finalizer) expect(isHeld(given)).toBe(false);
        if (step.do === "patch" && step.purpose === "add the finalizer")
          expect([given.metadata.deletionTimestamp, known.excluded]).toEqual([undefined, false]);
      }),
    );
  });
});
