import { beforeEach, describe, expect, it } from "vitest";
import type { Predicate } from "../../functions/contract/index.ts";
import type { ObjectMeta } from "../../functions/kube/resource.ts";
import { configMaps, documents, manifestOf, objectOf, relationOf } from "./support/objects.ts";
import { watched } from "./support/watched.ts";

const primary = (predicate: Predicate) => relationOf({ watch: { resource: documents }, predicate });
const byLabel = (predicate: Predicate) =>
  relationOf({
    id: "watches/ConfigMap",
    watch: { resource: configMaps },
    mapping: { by: "label", label: "doc" },
    predicate,
  });
const map = (version: number, over: Partial<ObjectMeta> = {}) =>
  objectOf({ name: "cm", uid: "u1", resourceVersion: String(version), labels: { doc: "a", app: "x" }, ...over });

describe("R6 per relation", () => {
  let watches: ReturnType<typeof watched>;
  beforeEach(() => {
    watches = watched(
      manifestOf({
        labels: [primary("generation"), byLabel({ labels: ["app"] })],
        notes: [primary("generation"), byLabel({ annotations: ["note"] })],
        every: [primary("generation"), byLabel("resourceVersion")],
      }),
    );
    watches.list("configmaps", [map(10)]);
  });

  it("one event passes for those whose predicate it passes", () => {
    expect(watches.event("configmaps", "MODIFIED", map(11, { labels: { doc: "a", app: "y" } }))).toEqual([
      "live every default/a",
      "live labels default/a",
    ]);
    expect(
      watches.event("configmaps", "MODIFIED", map(12, { labels: { doc: "a", app: "y" }, annotations: { note: "1" } })),
    ).toEqual(["live every default/a", "live notes default/a"]);
  });

  it("what did not pass is compared with no more: a value that comes back is no change", () => {
    const away = { labels: { doc: "a", app: "y" } };
    watches.event("configmaps", "MODIFIED", map(11, away));
    expect(watches.event("configmaps", "MODIFIED", map(12))).toContain("live labels default/a");
    expect(watches.event("configmaps", "MODIFIED", map(13))).not.toContain("live labels default/a");
  });

  it("R4 a change of the mapped key passes whatever the predicate asks", () => {
    expect(watches.event("configmaps", "MODIFIED", map(11, { labels: { doc: "b", app: "x" } }))).toEqual(
      ["every", "labels", "notes"].flatMap((name) => [`live ${name} default/a`, `live ${name} default/b`]),
    );
  });

  it("another uid under the same name passes, with the same values", () => {
    expect(watches.event("configmaps", "MODIFIED", map(11, { uid: "u2" }))).toHaveLength(3);
  });

  it("a changed object of a list passes whatever is asked, and the list's values are those compared from then on", () => {
    expect(watches.list("configmaps", [map(11, { annotations: { note: "1" } })])).toHaveLength(3);
    expect(watches.event("configmaps", "MODIFIED", map(12, { annotations: { note: "1" } }))).toEqual([
      "live every default/a",
    ]);
  });
});

describe("R6 by event", () => {
  const watches = (predicate: Predicate) => watched(manifestOf({ docs: [primary(predicate), byLabel(predicate)] }));
  const document = (version: number, over: Partial<ObjectMeta> = {}) =>
    objectOf({ name: "a", uid: "d1", resourceVersion: String(version), generation: 1, ...over });
  const hit = ["live docs default/a"];

  it.each<["created" | "updated" | "deleted", string[], string[], string[], string[]]>([
    ["created", hit, [], hit, []],
    ["updated", [], hit, [], []],
    ["deleted", [], [], hit, hit],
  ])("%s: of a related object", (event, created, updated, recreated, deleted) => {
    const { event: send } = watches({ events: [event] });
    expect(send("configmaps", "ADDED", map(10)), "created").toEqual(created);
    expect(send("configmaps", "MODIFIED", map(11)), "updated").toEqual(updated);
    expect(send("configmaps", "MODIFIED", map(12, { uid: "u2" })), "recreated").toEqual(recreated);
    expect(send("configmaps", "DELETED", map(13, { uid: "u2" })), "deleted").toEqual(deleted);
  });

  it("S13 a primary that is gone is told whatever is asked, since nothing else would clear its key", () => {
    const { event: send } = watches({ events: ["created"] });
    expect(send("documents", "ADDED", document(10))).toEqual(hit);
    expect(send("documents", "MODIFIED", document(11, { generation: 2 }))).toEqual([]);
    expect(send("documents", "DELETED", document(12))).toEqual(hit);
  });

  it("the beginning of a deletion is told whatever is asked", () => {
    const { event: send } = watches({ events: ["created"] });
    send("documents", "ADDED", document(10));
    expect(send("documents", "MODIFIED", document(11, { deletionTimestamp: "t" }))).toEqual(hit);
  });
});
