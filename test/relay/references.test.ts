import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { documents, manifestOf, namespaces, objectOf, relationOf, secrets } from "./support/objects.ts";
import { watched } from "./support/watched.ts";

const primary = relationOf({ watch: { resource: documents }, predicate: "generation" });
const named = relationOf({
  id: "watches/Secret",
  watch: { resource: secrets },
  mapping: { by: "namedBy", field: ".spec.secretName" },
});
const document = (name: string, version: number, secretName: string | undefined, namespace = "default") =>
  objectOf({ name, namespace, resourceVersion: String(version), generation: 1 }, { spec: { secretName } });
const secret = (name: string, version: number, namespace = "default") =>
  objectOf({ name, namespace, resourceVersion: String(version) });

let watches: ReturnType<typeof watched>;
beforeEach(() => {
  watches = watched(manifestOf({ docs: [primary, named] }));
});

describe("R4 an object that a primary's field names", () => {
  it("wakes every primary that names it, in its own namespace", () => {
    watches.list("documents", [
      document("a", 1, "s"),
      document("b", 2, "s"),
      document("c", 3, "other"),
      document("d", 4, "s", "elsewhere"),
      document("e", 5, undefined),
    ]);
    expect(watches.event("secrets", "ADDED", secret("s", 9))).toEqual(["live docs default/a", "live docs default/b"]);
    expect(watches.event("secrets", "MODIFIED", secret("s", 10))).toHaveLength(2);
    expect(watches.event("secrets", "DELETED", secret("s", 11))).toHaveLength(2);
    expect(watches.event("secrets", "ADDED", secret("nobody", 12))).toEqual([]);
  });

  it("that vanishes between two lists wakes them too", () => {
    watches.list("documents", [document("a", 1, "s")]);
    watches.list("secrets", [secret("s", 9)]);
    expect(watches.list("secrets", [])).toEqual(["resync docs default/a"]);
  });

  it("is followed when the field changes, which triggers by itself", () => {
    watches.list("documents", [document("a", 1, "s")]);
    expect(watches.event("documents", "MODIFIED", document("a", 2, "t"))).toEqual(["live docs default/a"]);
    expect(watches.event("secrets", "ADDED", secret("s", 9))).toEqual([]);
    expect(watches.event("secrets", "ADDED", secret("t", 10))).toEqual(["live docs default/a"]);
  });

  it("is nobody's when the primary is gone, by event or by list", () => {
    watches.list("documents", [document("a", 1, "s"), document("b", 2, "s")]);
    watches.event("documents", "DELETED", document("a", 3, "s"));
    expect(watches.event("secrets", "ADDED", secret("s", 9))).toEqual(["live docs default/b"]);
    watches.list("documents", []);
    expect(watches.event("secrets", "MODIFIED", secret("s", 10))).toEqual([]);
  });

  it("may be cluster-scoped", () => {
    const relation = { ...named, watch: { resource: namespaces } };
    watches = watched(manifestOf({ docs: [primary, relation] }));
    watches.list("documents", [document("a", 1, "n")]);
    const { namespace: _, ...meta } = objectOf({ name: "n", resourceVersion: "9" }).metadata;
    expect(watches.event("namespaces", "ADDED", { apiVersion: "v1", kind: "Namespace", metadata: meta })).toEqual([
      "live docs default/a",
    ]);
  });

  it("is looked up per controller", () => {
    const other = { ...named, mapping: { by: "namedBy", field: ".spec.other" } as const };
    watches = watched(manifestOf({ docs: [primary, named], more: [primary, other] }));
    watches.list("documents", [document("a", 1, "s")]);
    expect(watches.event("secrets", "ADDED", secret("s", 9))).toEqual(["live docs default/a"]);
  });

  it("is found whatever happened to the primaries before", () => {
    const name = fc.constantFrom("a", "b", "c");
    const step = fc.oneof(
      fc.record({ name, names: fc.constantFrom("s", "t", undefined) }),
      fc.record({ name, gone: fc.constant(true) }),
      fc.constant("list" as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const each = watched(manifestOf({ docs: [primary, named] }));
        const now = new Map<string, ReturnType<typeof document>>();
        for (const [i, action] of steps.entries()) {
          if (action === "list") each.list("documents", [...now.values()]);
          else if ("gone" in action) {
            if (now.delete(action.name)) each.event("documents", "DELETED", document(action.name, i + 1, undefined));
          } else {
            now.set(action.name, document(action.name, i + 1, action.names));
            each.event("documents", "MODIFIED", now.get(action.name)!);
          }
        }
        for (const target of ["s", "t"]) {
          const expected = [...now.values()].filter(
            ({ spec }) => (spec as { secretName?: string }).secretName === target,
          );
          expect(each.event("secrets", "ADDED", secret(target, 99))).toEqual(
            expected.map(({ metadata }) => `live docs default/${metadata.name}`).sort(),
          );
        }
      }),
    );
  });
});
