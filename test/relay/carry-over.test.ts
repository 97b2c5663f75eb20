import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Manifest, Relation } from "../../functions/contract/index.ts";
import { createReferences, type References } from "../../infra/relay/map/references.ts";
import { planWatches, type WatchPlan } from "../../infra/relay/plan/plan.ts";
import { newRelations } from "../../infra/relay/plan/plan-diff.ts";
import { createStore, type Store } from "../../infra/relay/store/store.ts";
import { manifestOf, objectOf } from "./support/objects.ts";
import { child, named, owned, primary } from "./support/redeployed.ts";

const planOf = (manifest: Manifest, plural: string): WatchPlan =>
  planWatches(manifest).find(({ resource }) => resource.plural === plural)!;

/** A store of one watch, the lists of which count on, and what it told. */
function stored(plan: WatchPlan, references: References = createReferences()) {
  let told: string[] = [];
  let lists = 0;
  const store: Store = createStore(plan, references, (hits, { lane, bulk }) => {
    for (const { key } of hits) told.push(`${bulk ? "bulk" : lane} ${key.controller}/${key.name}`);
  });
  const taken = (): string[] => {
    const result = [...new Set(told)].sort();
    told = [];
    return result;
  };
  return {
    store,
    references,
    taken,
    list(...items: ReturnType<typeof objectOf>[]): string[] {
      store.take(items, ++lists, false);
      store.sweep(lists);
      return taken();
    },
    /** As the relay does it: a watch with new relations is listed by a watcher that counts anew. */
    adopt(next: WatchPlan): void {
      if (newRelations(store.plan, next).length > 0) lists = 0;
      store.adopt(next);
    },
  };
}

const a = [primary, owned()];
const both = manifestOf({ a, b: a });

describe("R6 a relation that is new to a watch lists anew", () => {
  it("and tells what was there before, while the others tell only what changed", () => {
    const { list, adopt } = stored(planOf(manifestOf({ a }), "configmaps"));
    list(child("same", "5", "x"), child("changed", "6", "y"), child("vanished", "7", "z"));
    adopt(planOf(both, "configmaps"));
    const told = list(child("same", "5", "x"), child("changed", "8", "y"));
    expect(told).toEqual(["resync a/y", "resync a/z", "resync b/x", "resync b/y"]);
    expect(list(child("same", "5", "x"), child("changed", "8", "y"))).toEqual([]);
  });

  it("says nothing while it is held; bulk then tells what it saw, of the controllers that are named", () => {
    const { store, list, adopt, taken } = stored(planOf(manifestOf({ a }), "configmaps"));
    list(child("same", "5", "x"), child("changed", "6", "y"));
    adopt(planOf(both, "configmaps"));
    store.hold();
    expect(list(child("same", "5", "x"), child("changed", "8", "y"), child("new", "9", "z"))).toEqual([
      "resync a/y",
      "resync a/z",
    ]);
    store.release();
    store.all("a new revision", ({ key }) => key.controller === "b");
    expect(taken()).toEqual(["bulk b/x", "bulk b/y", "bulk b/z"]);
  });

  it("is still new after another manifest came before its list", () => {
    const { list, adopt } = stored(planOf(manifestOf({ a }), "configmaps"));
    list(child("same", "5", "x"));
    adopt(planOf(both, "configmaps"));
    adopt(planOf(manifestOf({ b: a }), "configmaps"));
    expect(list(child("same", "5", "x"))).toEqual(["resync b/x"]);
  });

  it("R4 keeps the owners of the old state for the relations that stay", () => {
    const { store, list, adopt, taken } = stored(planOf(manifestOf({ a }), "configmaps"));
    list(child("cm", "5", "old"));
    adopt(planOf(both, "configmaps"));
    expect(list(child("cm", "6", "new"))).toEqual(["resync a/new", "resync a/old", "resync b/new"]);
    store.observe("DELETED", child("cm", "7", "new"));
    expect(taken()).toEqual(["live a/new", "live b/new"]);
  });
});

describe("a watch that serves fewer relations", () => {
  it("goes on by events alone, for those that are left", () => {
    const { store, list, adopt, taken } = stored(planOf(both, "configmaps"));
    list(child("cm", "5", "x"));
    adopt(planOf(manifestOf({ b: a }), "configmaps"));
    store.observe("MODIFIED", child("cm", "5", "x"));
    expect(taken()).toEqual([]);
    store.observe("MODIFIED", child("cm", "6", "y"));
    expect(taken()).toEqual(["live b/x", "live b/y"]);
  });

  it("that has ended names nobody any more", () => {
    const declared = manifestOf({ a: [primary, named(".spec.s")] });
    const { store, list, references } = stored(planOf(declared, "documents"));
    list(objectOf({ name: "x", resourceVersion: "5" }, { spec: { s: "secret" } }));
    expect([...references.primaries("a/watches/Secret", "default/secret")]).toEqual(["default/x"]);
    store.leave();
    expect([...references.primaries("a/watches/Secret", "default/secret")]).toEqual([]);
  });
});

describe("what is carried over", () => {
  const relations: Record<string, Relation[]> = {
    plain: [primary],
    owning: [primary, owned()],
    ignoring: [primary, owned({ ownWrites: "ignore" })],
    anyOwner: [primary, owned({ mapping: { by: "owner", owner: "any" } })],
    byLabel: [primary, owned({ mapping: { by: "label", label: "doc" } })],
    fieldA: [primary, named(".spec.a")],
    fieldB: [{ ...primary, predicate: "resourceVersion" }, named(".spec.b")],
  };
  const declaration = fc
    .dictionary(fc.constantFrom("x", "y", "z"), fc.constantFrom(...Object.keys(relations)), { minKeys: 1 })
    .map((chosen) =>
      manifestOf(Object.fromEntries(Object.entries(chosen).map(([name, of]) => [name, relations[of]!]))),
    );
  const entry = (manager: string) => ({ manager, operation: "Apply" as const, time: "2026-01-01T00:00:00Z" });
  const objects = [
    objectOf(
      { name: "one", resourceVersion: "5", generation: 2, labels: { doc: "d1" } },
      { spec: { a: "s1", b: "s2" } },
    ),
    {
      ...child("two", "6", "d2"),
      metadata: { ...child("two", "6", "d2").metadata, managedFields: [entry("x"), entry("y")] },
    },
    objectOf({ name: "three", resourceVersion: "7" }, { spec: { a: "s1" } }),
  ];
  const known = ({ store, references }: ReturnType<typeof stored>) => ({
    records: [...store.entries()].map(([id, { list: _, ...record }]) => [id, JSON.stringify(record)]).sort(),
    named: ["x", "y", "z"].flatMap((name) =>
      ["s1", "s2"].map((secret) => [...references.primaries(`${name}/watches/Secret`, `default/${secret}`)].sort()),
    ),
  });

  it.each(["documents", "configmaps"])(
    "and completed by a list is what a fresh watch of %s would know, whatever was declared before",
    (plural) => {
      fc.assert(
        fc.property(
          fc.array(fc.tuple(declaration, fc.boolean()), { minLength: 1, maxLength: 6 }),
          declaration,
          (earlier, last) => {
            const plans = [...earlier, [last, true] as const].map(
              ([manifest, lists]) => [planOf(manifest, plural), lists] as const,
            );
            const there = plans.filter(([plan]) => plan !== undefined);
            const [first, ...others] = there;
            if (!first || !planOf(last, plural)) return;
            const carried = stored(first[0]);
            if (first[1]) carried.list(...objects);
            for (const [plan, lists] of others) {
              carried.adopt(plan);
              if (lists) carried.list(...objects);
            }
            carried.list(...objects);
            const fresh = stored(planOf(last, plural));
            fresh.list(...objects);
            expect(known(carried)).toEqual(known(fresh));
          },
        ),
      );
    },
  );
});

describe("what predicates compare, and what code told, goes on by another plan", () => {
  const byCode = { mapping: { by: "code", code: "1", objects: "metadata" } } as const;
  const before = [primary, owned({ id: "r", predicate: { labels: ["x"] } }), owned({ id: "s", ...byCode })];
  const after = manifestOf({ first: [primary, owned({ predicate: { annotations: ["y"] } })], a: before });
  const labelled = (version: string, x: string) =>
    objectOf({ ...child("cm", version, "p").metadata, labels: { x }, annotations: { y: "1" } });

  it("a change is compared with what was seen before, once the new relation has listed", () => {
    const { store, list, adopt, taken } = stored(planOf(manifestOf({ a: before }), "configmaps"));
    list(labelled("5", "1"));
    adopt(planOf(after, "configmaps"));
    list(labelled("5", "1"));
    store.observe("MODIFIED", labelled("6", "1"));
    expect(taken()).toEqual([]);
    store.observe("MODIFIED", labelled("7", "2"));
    expect(taken()).toEqual(["live a/p"]);
  });

  it("a change is compared with what was seen before, where the plan asks for less from now on", () => {
    const { store, list, adopt, taken } = stored(planOf(after, "configmaps"));
    list(labelled("5", "1"));
    adopt(planOf(manifestOf({ a: before }), "configmaps"));
    store.observe("MODIFIED", labelled("6", "1"));
    expect(taken()).toEqual([]);
    store.observe("MODIFIED", labelled("7", "2"));
    expect(taken()).toEqual(["live a/p"]);
  });

  it("the keys that code told, and that it was not told yet, keep their relation", () => {
    const { store, list, adopt } = stored(planOf(manifestOf({ a: before }), "configmaps"));
    list(labelled("5", "1"));
    const record = () => new Map(store.entries()).get("default/cm");
    expect(record()).toMatchObject({ names: [["p"], []], unmapped: [1] });
    adopt(planOf(after, "configmaps"));
    expect(record()).toMatchObject({ names: [[], ["p"], []], unmapped: [2] });
  });
});
