import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ManagedFieldsEntry } from "../../functions/kube/resource.ts";
import { isOwnWrite, writersOf } from "../../infra/relay/predicate/own-writes.ts";

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, "0")}Z`;
const entry = (manager: string, second: number, rest: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => ({
  manager,
  operation: "Apply",
  apiVersion: "v1",
  time: at(second),
  fieldsType: "FieldsV1",
  fieldsV1: {},
  ...rest,
});
const own = (second: number, rest?: Partial<ManagedFieldsEntry>) => entry("documents", second, rest);
const other = (second: number, rest?: Partial<ManagedFieldsEntry>) => entry("kubectl", second, rest);

function decide(before: ManagedFieldsEntry[] | undefined, after: ManagedFieldsEntry[] | undefined): boolean {
  return isOwnWrite(before && writersOf(before, "documents"), writersOf(after, "documents"));
}

describe("R13 an own write", () => {
  it.each<[string, ManagedFieldsEntry[] | undefined, ManagedFieldsEntry[]]>([
    ["a new object that only we wrote", undefined, [own(1)]],
    ["our entry is newer", [own(1)], [own(2)]],
    ["our entry is new", [other(1)], [other(1), own(2)]],
    ["ours is newer, and nobody else's is", [own(1), other(1)], [own(2), other(1)]],
    [
      "one of our two entries is newer",
      [own(1), own(1, { subresource: "status" })],
      [own(1), own(2, { subresource: "status" })],
    ],
    [
      "a field taken back: the other's entry shrinks and keeps its time",
      [own(1), other(1)],
      [own(2), other(1, { fieldsV1: { "f:data": {} } })],
    ],
    ["the entries come in another order", [own(1), other(1), entry("x", 1)], [entry("x", 1), own(2), other(1)]],
  ])("is: %s", (_, before, after) => {
    expect(decide(before, after)).toBe(true);
  });
});

describe("R13 not an own write, or not to be told", () => {
  it.each<[string, ManagedFieldsEntry[] | undefined, ManagedFieldsEntry[] | undefined]>([
    ["a new object that somebody else wrote", undefined, [other(1)]],
    ["a new object that both wrote", undefined, [own(1), other(1)]],
    ["a new object without managed fields", undefined, undefined],
    ["nothing of managed fields changed", [own(1)], [own(1)]],
    ["our second write within one second", [own(1), other(1)], [own(1), other(1)]],
    ["somebody else's entry is newer", [own(1), other(1)], [own(1), other(2)]],
    ["somebody else's is newer along with ours", [own(1), other(1)], [own(2), other(2)]],
    ["somebody else's entry is new", [own(1)], [own(1), other(1)]],
    ["somebody else's entry is gone", [own(1), other(1)], [own(2)]],
    ["somebody else wrote by another operation", [own(1), other(1)], [own(2), other(1, { operation: "Update" })]],
    ["somebody else wrote the status", [own(1), other(1)], [own(2), other(1, { subresource: "status" })]],
    ["our entry is gone", [own(1), other(1)], [other(1)]],
    ["our entry went back in time", [own(2)], [own(1)]],
    ["the managed fields are gone", [own(1)], undefined],
    ["our entry has no time", undefined, [{ manager: "documents", operation: "Apply" }]],
  ])("%s", (_, before, after) => {
    expect(decide(before, after)).toBe(false);
  });
});

describe("R13 whatever the entries are", () => {
  const entries = fc.array(
    fc.record({
      manager: fc.constantFrom("documents", "kubectl", "x"),
      operation: fc.constantFrom("Apply", "Update"),
      subresource: fc.constantFrom(undefined, "status"),
      time: fc.integer({ min: 0, max: 3 }).map(at),
    }),
    { maxLength: 6 },
  );
  const text = (each: ManagedFieldsEntry) => JSON.stringify(each);

  it("a change of anybody else's entries is never taken for an own write", () => {
    fc.assert(
      fc.property(fc.option(entries, { nil: undefined }), entries, (before, after) => {
        const others = (list: ManagedFieldsEntry[] = []) =>
          list
            .filter(({ manager }) => manager !== "documents")
            .map(text)
            .sort();
        fc.pre(JSON.stringify(others(before)) !== JSON.stringify(others(after)));
        expect(decide(before, after)).toBe(false);
      }),
    );
  });
});
