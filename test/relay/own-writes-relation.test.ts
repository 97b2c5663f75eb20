import { beforeEach, describe, expect, it } from "vitest";
import type { ManagedFieldsEntry, ObjectMeta } from "../../functions/kube/resource.ts";
import { configMaps, documents, manifestOf, objectOf, relationOf } from "./support/objects.ts";
import { watched } from "./support/watched.ts";

const ours = (second: number): ManagedFieldsEntry => ({ manager: "docs", operation: "Apply", time: `T0${second}Z` });
const theirs = (second: number): ManagedFieldsEntry => ({
  manager: "other",
  operation: "Update",
  time: `T0${second}Z`,
});
const primary = relationOf({ watch: { resource: documents }, predicate: "generation" });
const owns = relationOf({
  id: "owns/ConfigMap",
  watch: { resource: configMaps },
  mapping: { by: "owner", owner: "controller" },
  ownWrites: "ignore",
});
const child = (version: number, managedFields: ManagedFieldsEntry[], owner = "a", over: Partial<ObjectMeta> = {}) =>
  objectOf({
    name: "cm",
    uid: "c1",
    resourceVersion: String(version),
    managedFields,
    ownerReferences: [{ apiVersion: "example.com/v1", kind: "Document", name: owner, uid: "u", controller: true }],
    ...over,
  });
const woken = ["live docs default/a"];

let watches: ReturnType<typeof watched>;
beforeEach(() => {
  watches = watched(manifestOf({ docs: [primary, owns] }));
});

describe("R13 ownWrites: ignore", () => {
  it("drops what only our field manager made or changed", () => {
    expect(watches.event("configmaps", "ADDED", child(10, [ours(1)]))).toEqual([]);
    expect(watches.event("configmaps", "MODIFIED", child(11, [ours(2)]))).toEqual([]);
  });

  it("lets a stranger's change through, and our repair of it not", () => {
    watches.event("configmaps", "ADDED", child(10, [ours(1)]));
    expect(watches.event("configmaps", "MODIFIED", child(11, [ours(1), theirs(2)]))).toEqual(woken);
    expect(watches.event("configmaps", "MODIFIED", child(12, [ours(3), theirs(2)]))).toEqual([]);
    expect(watches.event("configmaps", "MODIFIED", child(13, [ours(3), theirs(4)]))).toEqual(woken);
  });

  it("lets a new object of somebody else's through", () => {
    expect(watches.event("configmaps", "ADDED", child(10, [theirs(1)]))).toEqual(woken);
  });

  it("never drops a DELETED", () => {
    watches.event("configmaps", "ADDED", child(10, [ours(1)]));
    expect(watches.event("configmaps", "DELETED", child(11, [ours(2)]))).toEqual(woken);
  });

  it("never drops a change of the mapped keys", () => {
    watches.event("configmaps", "ADDED", child(10, [ours(1)]));
    expect(watches.event("configmaps", "MODIFIED", child(11, [ours(2)], "b"))).toEqual([
      ...woken,
      "live docs default/b",
    ]);
  });

  it("never drops another uid under the same name", () => {
    watches.event("configmaps", "ADDED", child(10, [ours(1)]));
    expect(watches.event("configmaps", "MODIFIED", child(11, [ours(2)], "a", { uid: "c2" }))).toEqual(woken);
  });

  it("never drops a MODIFIED of what was not seen before", () => {
    expect(watches.event("configmaps", "MODIFIED", child(10, [ours(1)]))).toEqual(woken);
  });

  it("never drops what a list brings, first or after a gap", () => {
    expect(watches.list("configmaps", [child(10, [ours(1)])])).toEqual(["resync docs default/a"]);
    expect(watches.list("configmaps", [child(11, [ours(2)])])).toEqual(["resync docs default/a"]);
  });

  it("goes on from what a list brought", () => {
    watches.list("configmaps", [child(10, [ours(1), theirs(1)])]);
    expect(watches.event("configmaps", "MODIFIED", child(11, [ours(2), theirs(1)]))).toEqual([]);
  });

  it("is each controller's own matter", () => {
    watches = watched(
      manifestOf({
        docs: [primary, owns],
        other: [primary, owns],
        every: [primary, { ...owns, ownWrites: "trigger" }],
      }),
    );
    expect(watches.event("configmaps", "ADDED", child(10, [ours(1)]))).toEqual([
      "live every default/a",
      "live other default/a",
    ]);
    expect(watches.event("configmaps", "MODIFIED", child(11, [ours(1), theirs(2)]))).toEqual([
      "live docs default/a",
      "live every default/a",
    ]);
  });
});

it("R13 ownWrites: trigger, the default, runs once more", () => {
  watches = watched(manifestOf({ docs: [primary, { ...owns, ownWrites: "trigger" }] }));
  expect(watches.event("configmaps", "ADDED", child(10, [ours(1)]))).toEqual(woken);
  expect(watches.event("configmaps", "MODIFIED", child(11, [ours(2)]))).toEqual(woken);
});
