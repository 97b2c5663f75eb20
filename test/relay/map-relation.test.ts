import { beforeEach, describe, expect, it } from "vitest";
import type { Mapping } from "../../functions/contract/index.ts";
import type { ObjectMeta } from "../../functions/kube/resource.ts";
import { configMaps, documents, manifestOf, objectOf, relationOf } from "./support/objects.ts";
import { watched } from "./support/watched.ts";

const primary = relationOf({ watch: { resource: documents }, predicate: "generation" });
const related = (mapping: Mapping) => relationOf({ id: "watches/ConfigMap", watch: { resource: configMaps }, mapping });

type Named = (name: string | undefined) => ReturnType<typeof objectOf>;
const at = (version: number, meta: Partial<ObjectMeta> = {}, rest: Record<string, unknown> = {}) =>
  objectOf({ name: "cm", uid: "u", resourceVersion: String(version), ...meta }, rest);
const key = (name: string) => `live docs default/${name}`;

describe.each<[string, Mapping, (version: number) => Named]>([
  ["a label", { by: "label", label: "doc" }, (version) => (doc) => at(version, { labels: doc ? { doc } : {} })],
  [
    "an annotation",
    { by: "annotation", annotation: "x/doc" },
    (version) => (doc) => at(version, { annotations: doc ? { "x/doc": doc } : {} }),
  ],
  ["a field", { by: "field", field: ".data.doc" }, (version) => (doc) => at(version, {}, { data: doc ? { doc } : {} })],
  [
    "an owner",
    { by: "owner", owner: "any" },
    (version) => (doc) =>
      at(version, {
        ownerReferences: doc ? [{ apiVersion: "example.com/v1", kind: "Document", name: doc, uid: "u" }] : [],
      }),
  ],
])("R4 by %s", (_, mapping, object) => {
  let watches: ReturnType<typeof watched>;
  beforeEach(() => {
    watches = watched(manifestOf({ docs: [primary, related(mapping)] }));
    watches.list("configmaps", [object(10)("a")]);
  });

  it.each<[string, "MODIFIED" | "DELETED", string | undefined, string[]]>([
    ["a change wakes the one that is named", "MODIFIED", "a", ["a"]],
    ["another name wakes the old one and the new one", "MODIFIED", "b", ["a", "b"]],
    ["no name any more wakes the old one", "MODIFIED", undefined, ["a"]],
    ["its end wakes the one that is named", "DELETED", "a", ["a"]],
    ["its end under another name wakes both", "DELETED", "b", ["a", "b"]],
  ])("%s", (_, type, name, expected) => {
    expect(watches.event("configmaps", type, object(11)(name))).toEqual(expected.map(key));
  });

  it("a list wakes both, and a vanished one the last that it named", () => {
    expect(watches.list("configmaps", [object(11)("b")])).toEqual(["resync docs default/a", "resync docs default/b"]);
    expect(watches.list("configmaps", [])).toEqual(["resync docs default/b"]);
  });
});

describe("R4 R5 by code", () => {
  let watches: ReturnType<typeof watched>;
  const told = (ids: string[], newest = true) => watches.told(watches.asked.at(-1), ids, newest);
  const record = () => new Map(watches.storeOf("configmaps").entries()).get("default/cm");
  beforeEach(() => {
    watches = watched(manifestOf({ docs: [primary, related({ by: "code", code: "c", objects: "full" })] }));
  });

  it("a new object is asked about, and wakes what is told", () => {
    expect(watches.event("configmaps", "ADDED", at(10))).toEqual([]);
    expect(watches.asked).toMatchObject([{ id: "default/cm", deleted: false, object: { kind: "ConfigMap" } }]);
    expect(told(["default/a", "other/b"])).toEqual([key("a"), "live docs other/b"]);
  });

  it("a change wakes the old keys at once, and those that are new as they are told", () => {
    watches.event("configmaps", "ADDED", at(10));
    told(["default/a", "default/b"]);
    expect(watches.event("configmaps", "MODIFIED", at(11))).toEqual([key("a"), key("b")]);
    expect(told(["default/b", "default/c"])).toEqual([key("c")]);
    expect(watches.event("configmaps", "MODIFIED", at(12))).toEqual([key("b"), key("c")]);
  });

  it("its end wakes the old keys, and what the last state leads to", () => {
    watches.event("configmaps", "ADDED", at(10));
    told(["default/a"]);
    expect(watches.event("configmaps", "DELETED", at(11))).toEqual([key("a")]);
    expect(watches.asked.at(-1)).toMatchObject({ deleted: true });
    expect(told(["default/a", "default/b"])).toEqual([key("b")]);
    expect(record()).toBeUndefined();
  });

  it("an object that vanished while nobody watched wakes the old keys", () => {
    watches.event("configmaps", "ADDED", at(10));
    told(["default/a"]);
    expect(watches.list("configmaps", [])).toEqual(["resync docs default/a"]);
  });

  it("an answer about an older state counts too, and what is newer is told after it", () => {
    watches.event("configmaps", "ADDED", at(10));
    const [older] = watches.asked;
    watches.event("configmaps", "MODIFIED", at(11));
    expect(watches.told(older, ["default/a"], false)).toEqual([key("a")]);
    expect(record()).toMatchObject({ names: [["default/a"]], unmapped: [0] });
    expect(told(["default/b"])).toEqual([key("b")]);
    expect(watches.event("configmaps", "MODIFIED", at(12))).toEqual([key("b")]);
  });

  it("an answer about another uid wakes its keys, and is not kept", () => {
    watches.event("configmaps", "ADDED", at(10));
    const [older] = watches.asked;
    watches.event("configmaps", "MODIFIED", at(11, { uid: "u2" }));
    expect(watches.told(older, ["default/a"], false)).toEqual([key("a")]);
    expect(record()).toMatchObject({ uid: "u2", names: [] });
  });

  it("R7 the record says that it waits, until the newest state was told", () => {
    watches.event("configmaps", "ADDED", at(10));
    expect(record()).toMatchObject({ unmapped: [0] });
    told([]);
    expect(record()).not.toHaveProperty("unmapped");
  });

  it("R7 what still waits is asked again with the next list, though it is the same", () => {
    watches.list("configmaps", [at(10)]);
    watches.list("configmaps", [at(10)]);
    expect(watches.asked).toHaveLength(2);
    told([]);
    watches.list("configmaps", [at(10)]);
    expect(watches.asked).toHaveLength(2);
  });

  it("R6 what does not pass the predicate is not asked about", () => {
    const relation = { ...related({ by: "code", code: "c", objects: "full" }), predicate: { labels: ["app"] } };
    watches = watched(manifestOf({ docs: [primary, relation] }));
    watches.event("configmaps", "ADDED", at(10));
    watches.event("configmaps", "MODIFIED", at(11, { annotations: { a: "b" } }));
    expect(watches.asked).toHaveLength(1);
    watches.event("configmaps", "MODIFIED", at(12, { labels: { app: "x" } }));
    expect(watches.asked).toHaveLength(2);
  });

  it("R10 what another relay's code was not told of differs, even where all that came since was told", () => {
    const mapping = { by: "code", code: "c", objects: "full" } as const;
    const [before, now] = [watched(manifestOf({ docs: [primary, related(mapping)] })), watches];
    for (const each of [before, now]) {
      each.event("configmaps", "ADDED", at(10));
      each.event("configmaps", "ADDED", at(10, { name: "told" }));
      each.told(each.asked[1], ["default/b"]);
    }
    now.told(now.asked[0], ["default/a"]);
    const { plan, entries } = before.storeOf("configmaps");
    now.storeOf("configmaps").compare({ plan, records: entries(), fresh: false }, true);
    expect(now.taken()).toEqual(["resync docs default/a"]);
  });
});
