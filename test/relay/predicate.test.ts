import { describe, expect, it } from "vitest";
import type { ObjectMeta } from "../../functions/kube/resource.ts";
import { generationValue, passes } from "../../infra/relay/predicate/predicate.ts";

const meta: ObjectMeta = { name: "a", uid: "u", resourceVersion: "7", generation: 3 };
const gone = { ...meta, deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["x", "y"] };

function generationPasses(before: ObjectMeta, after: ObjectMeta): boolean {
  const compared = (of: ObjectMeta) => ({ generation: generationValue(of), values: [] });
  return passes("generation", undefined, { before: compared(before), after: compared(after) });
}

describe("R6 the predicate generation", () => {
  it.each<[string, ObjectMeta, ObjectMeta, boolean]>([
    ["stops a change of the status", meta, { ...meta, resourceVersion: "8" }, false],
    ["stops a change of labels", meta, { ...meta, resourceVersion: "8", labels: { a: "b" } }, false],
    ["stops a finalizer that is added", meta, { ...meta, resourceVersion: "8", finalizers: ["x"] }, false],
    ["passes a new generation", meta, { ...meta, resourceVersion: "8", generation: 4 }, true],
    ["passes the beginning of a deletion", { ...meta, finalizers: ["x", "y"] }, gone, true],
    ["passes a finalizer that is removed while deleting", gone, { ...gone, finalizers: ["y"] }, true],
    ["stops a change of the status while deleting", gone, { ...gone, resourceVersion: "8" }, false],
    [
      "passes every version of a kind without a generation",
      without(meta),
      { ...without(meta), resourceVersion: "8" },
      true,
    ],
    ["takes 0 for no generation", { ...meta, generation: 0 }, { ...meta, generation: 0, resourceVersion: "8" }, true],
  ])("%s", (_, before, after, expected) => {
    expect(generationPasses(before, after)).toBe(expected);
  });
});

describe("R6 the predicate resourceVersion", () => {
  it("passes any change", () => {
    const same = { generation: "3", values: [] };
    expect(passes("resourceVersion", undefined, { before: same, after: same })).toBe(true);
  });
});

function without({ generation: _, ...rest }: ObjectMeta): ObjectMeta {
  return rest;
}
