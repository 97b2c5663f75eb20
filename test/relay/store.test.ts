import { beforeEach, describe, expect, it } from "vitest";
import type { ObjectMeta } from "../../functions/kube/resource.ts";
import { configMaps, documents, manifestOf, objectOf, relationOf } from "./support/objects.ts";
import { watched } from "./support/watched.ts";

const ownedBy = (...names: string[]): Partial<ObjectMeta> => ({
  ownerReferences: names.map((name) => ({
    apiVersion: "example.com/v1",
    kind: "Document",
    name,
    uid: "u",
    controller: true,
  })),
});
const primary = relationOf({ watch: { resource: documents }, predicate: "generation" });
const owns = relationOf({
  id: "owns/ConfigMap",
  watch: { resource: configMaps },
  mapping: { by: "owner", owner: "controller" },
});
const document = (version: number, over: Partial<ObjectMeta> = {}) =>
  objectOf({ name: "a", uid: "u1", resourceVersion: String(version), generation: 1, ...over });
const child = (version: number, over: Partial<ObjectMeta> = {}) =>
  objectOf({ name: "cm", uid: "c1", resourceVersion: String(version), ...over });

let watches: ReturnType<typeof watched>;
beforeEach(() => {
  watches = watched(manifestOf({ docs: [primary, owns] }));
});

describe("R6 an event of the primary", () => {
  beforeEach(() => void watches.list("documents", [document(10)]));

  it.each<[string, "ADDED" | "MODIFIED" | "DELETED", ReturnType<typeof document>, string[]]>([
    ["a new generation triggers", "MODIFIED", document(11, { generation: 2 }), ["live docs default/a"]],
    ["a new status does not", "MODIFIED", document(11), []],
    ["a version seen already does not", "MODIFIED", document(10, { generation: 2 }), []],
    ["an older version does not", "MODIFIED", document(9, { generation: 2 }), []],
    [
      "the beginning of a deletion triggers",
      "MODIFIED",
      document(11, { deletionTimestamp: "t" }),
      ["live docs default/a"],
    ],
    ["its end triggers", "DELETED", document(11), ["live docs default/a"]],
    ["its end under the version seen last triggers", "DELETED", document(10), ["live docs default/a"]],
    ["another one triggers", "ADDED", document(11, { name: "b", uid: "u2" }), ["live docs default/b"]],
    ["another uid in the same generation triggers", "MODIFIED", document(11, { uid: "u2" }), ["live docs default/a"]],
    ["an older one of another uid does not", "ADDED", document(9, { uid: "u0" }), []],
  ])("%s", (_, type, object, expected) => {
    expect(watches.event("documents", type, object)).toEqual(expected);
  });

  it("what was seen once never triggers again", () => {
    expect(watches.event("documents", "MODIFIED", document(11, { generation: 2 }))).toHaveLength(1);
    expect(watches.event("documents", "MODIFIED", document(11, { generation: 2 }))).toEqual([]);
  });

  it("a status change does not hide the next generation", () => {
    watches.event("documents", "MODIFIED", document(11));
    expect(watches.event("documents", "MODIFIED", document(12, { generation: 2 }))).toHaveLength(1);
  });
});

describe("R4 an event of a child wakes the owners of its old and its new state", () => {
  beforeEach(() => void watches.list("configmaps", [child(10, ownedBy("a"))]));

  it.each<[string, "ADDED" | "MODIFIED" | "DELETED", ReturnType<typeof child>, string[]]>([
    ["a change", "MODIFIED", child(11, ownedBy("a")), ["live docs default/a"]],
    ["a new owner", "MODIFIED", child(11, ownedBy("b")), ["live docs default/a", "live docs default/b"]],
    ["an owner more", "MODIFIED", child(11, ownedBy("a", "b")), ["live docs default/a", "live docs default/b"]],
    ["no owner any more", "MODIFIED", child(11), ["live docs default/a"]],
    ["its end", "DELETED", child(11, ownedBy("a")), ["live docs default/a"]],
    [
      "its end, after a change that was missed",
      "DELETED",
      child(12, ownedBy("b")),
      ["live docs default/a", "live docs default/b"],
    ],
    [
      "another uid",
      "MODIFIED",
      child(11, { uid: "c2", ...ownedBy("b") }),
      ["live docs default/a", "live docs default/b"],
    ],
    ["a stranger's", "ADDED", child(11, { name: "x" }), []],
  ])("%s", (_, type, object, expected) => {
    expect(watches.event("configmaps", type, object)).toEqual(expected);
  });

  it("a change of owner passes any predicate", () => {
    watches = watched(manifestOf({ docs: [primary, { ...owns, predicate: "generation" }] }));
    watches.list("configmaps", [child(10, { generation: 1, ...ownedBy("a") })]);
    expect(watches.event("configmaps", "MODIFIED", child(11, { generation: 1, ...ownedBy("a") }))).toEqual([]);
    expect(watches.event("configmaps", "MODIFIED", child(12, { generation: 1, ...ownedBy("b") }))).toHaveLength(2);
  });

  it("the end of an object that was never seen wakes its owner", () => {
    expect(watches.event("configmaps", "DELETED", child(11, { name: "x", uid: "x", ...ownedBy("a") }))).toEqual([
      "live docs default/a",
    ]);
  });
});

describe("R3 a list is compared with what was seen", () => {
  it("the first one triggers everything, in the resync lane", () => {
    expect(watches.list("documents", [document(10), document(10, { name: "b" })])).toEqual([
      "resync docs default/a",
      "resync docs default/b",
    ]);
  });

  it.each<[string, ReturnType<typeof document>[], string[]]>([
    ["unchanged: nothing", [document(10)], []],
    ["changed: passes predicates by", [document(11)], ["resync docs default/a"]],
    ["R14 as it is, even with an older version", [document(9)], ["resync docs default/a"]],
    ["recreated with the same version", [document(10, { uid: "u2" })], ["resync docs default/a"]],
    ["vanished", [], ["resync docs default/a"]],
    ["appeared", [document(10), document(11, { name: "b" })], ["resync docs default/b"]],
  ])("%s", (_, items, expected) => {
    watches.list("documents", [document(10)]);
    expect(watches.list("documents", items)).toEqual(expected);
    expect(watches.storeOf("documents").size).toBe(items.length);
  });

  it("R4 the owners of the old and of the new state", () => {
    watches.list("configmaps", [child(10, ownedBy("a")), child(10, { name: "x", ...ownedBy("x") })]);
    expect(watches.list("configmaps", [child(12, ownedBy("b"))])).toEqual([
      "resync docs default/a",
      "resync docs default/b",
      "resync docs default/x",
    ]);
  });

  it("R2 nothing has vanished before the list is complete", () => {
    watches.list("documents", [document(10)]);
    watches.storeOf("documents").take([document(11, { name: "b" })], 99, false);
    expect(watches.taken()).toEqual(["resync docs default/b"]);
    expect(watches.storeOf("documents").size).toBe(2);
  });

  it("R14 of which no version can be trusted triggers everything in it", () => {
    watches.list("documents", [document(10)]);
    expect(watches.list("documents", [document(10)], true)).toEqual(["resync docs default/a"]);
  });
});

it("S14 everything known is triggered on request, in the resync lane", () => {
  watches.list("documents", [document(10)]);
  watches.list("configmaps", [child(10, ownedBy("x"))]);
  watches.storeOf("documents").all("why");
  watches.storeOf("configmaps").all("why");
  expect(watches.taken()).toEqual(["resync docs default/a", "resync docs default/x"]);
});
