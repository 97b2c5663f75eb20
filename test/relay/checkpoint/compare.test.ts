import { describe, expect, it } from "vitest";
import type { Manifest } from "../../../functions/contract/index.ts";
import type { KubeObject } from "../../../functions/kube/resource.ts";
import type { Saved } from "../../../infra/relay/store/store.ts";
import { objectOf } from "../support/objects.ts";
import { child, deployment, named, owned, primary } from "../support/redeployed.ts";
import { watched } from "../support/watched.ts";

const declared = deployment({ docs: { revision: "d1", relations: [primary, owned(), named(".spec.secretName")] } });
const document = (name: string, version: string, secretName?: string) =>
  objectOf({ name, resourceVersion: version, generation: 1 }, secretName ? { spec: { secretName } } : {});

/** A store that holds these objects, and what it had told by then is forgotten. */
function holding(plural: string, items: KubeObject[], manifest: Manifest = declared) {
  const stores = watched(manifest);
  stores.list(plural, items);
  return { store: stores.storeOf(plural), taken: stores.taken, list: stores.list };
}

function compared(plural: string, before: KubeObject[], now: KubeObject[]): string[] {
  const { store, taken } = holding(plural, now);
  const other = holding(plural, before).store;
  const saved: Saved = { plan: other.plan, records: other.entries(), fresh: false };
  store.compare(saved);
  return taken();
}

describe("R7, R10 a relay that watched beside another one tells what that had not seen:", () => {
  it.each<[string, string, KubeObject[], KubeObject[], string[]]>([
    ["nothing", "documents", [document("a", "5")], [document("a", "5")], []],
    ["another version", "documents", [document("a", "5")], [document("a", "6")], ["resync docs/a"]],
    ["what appeared", "documents", [], [document("a", "5")], ["resync docs/a"]],
    ["what vanished", "documents", [document("a", "5")], [], ["resync docs/a"]],
    [
      "another object under the name",
      "documents",
      [document("a", "5")],
      [objectOf({ name: "a", resourceVersion: "5", uid: "other" })],
      ["resync docs/a"],
    ],
    [
      "R4 both owners of a child",
      "configmaps",
      [child("cm", "5", "a")],
      [child("cm", "6", "b")],
      ["resync docs/a", "resync docs/b"],
    ],
    ["the owner of a child that vanished", "configmaps", [child("cm", "5", "a")], [], ["resync docs/a"]],
  ])("%s", (_, plural, before, now, keys) => {
    expect(compared(plural, before, now)).toEqual(keys.map((key) => key.replace("docs/", "docs default/")));
  });

  it("and who names a Secret that changed", () => {
    const { store, taken, list } = ((stores) => ({ ...stores, store: stores.storeOf("secrets") }))(watched(declared));
    list("documents", [document("a", "5", "token")]);
    list("secrets", [objectOf({ name: "token", resourceVersion: "7" })]);
    const other = holding("secrets", [objectOf({ name: "token", resourceVersion: "6" })]).store;
    store.compare({ plan: other.plan, records: other.entries(), fresh: false });
    expect(taken()).toEqual(["resync docs default/a"]);
  });

  it("keeps its own state", () => {
    const { store } = holding("documents", [document("a", "6")]);
    const other = holding("documents", [document("a", "5"), document("b", "5")]).store;
    store.compare({ plan: other.plan, records: other.entries(), fresh: false });
    expect([...store.entries()].map(([id, { version }]) => `${id} ${version}`)).toEqual(["default/a 6"]);
  });
});
