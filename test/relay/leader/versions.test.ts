import { beforeEach, expect, it } from "vitest";
import { createReferences } from "../../../infra/relay/map/references.ts";
import { planWatches } from "../../../infra/relay/plan/plan.ts";
import { createStore, type Happened, type Store } from "../../../infra/relay/store/store.ts";
import { documents, manifestOf, objectOf, relationOf } from "../support/objects.ts";

const [plan] = planWatches(manifestOf({ docs: [relationOf({ watch: { resource: documents } })] }));
const document = (name: string, version: number) =>
  objectOf({ name, resourceVersion: String(version), generation: version });

let told: string[];
let store: Store;
beforeEach(() => {
  told = [];
  const emit = (_: unknown, { watch, version, bulk }: Happened) =>
    void told.push(`${watch === plan!.id} ${version || "none"}${bulk ? " bulk" : ""}`);
  store = createStore(plan!, createReferences(), emit);
  store.take([document("a", 5), document("b", 6)], 1, false);
  store.sweep(1, "10");
  told.splice(0);
});

it("R10 each hit tells its watch, and up to which version that has seen it", () => {
  store.observe("MODIFIED", document("a", 11));
  store.observe("DELETED", document("b", 12));
  store.take([document("c", 13)], 2, false);
  store.sweep(2, "20");
  expect(told).toEqual(["true 11", "true 12", "true 13", "true 20"]);
});

it("R10 what is looked at again has no version", () => {
  store.all("why");
  expect(told).toEqual(["true none bulk", "true none bulk"]);
});

it("R14 nothing has one once the API server went back in time", () => {
  store.take([document("a", 3)], 2, true);
  store.sweep(2, "4");
  store.observe("MODIFIED", document("a", 4));
  expect(told).toEqual(["true none", "true none", "true none"]);
  expect(store.rewound).toBe(true);
});
