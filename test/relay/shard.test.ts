import { describe, expect, it } from "vitest";
import { planWatches } from "../../infra/relay/plan/plan.ts";
import { readSelector, shardOf, withinNamespaces } from "../../infra/relay/plan/shard.ts";
import { configMaps, documents, manifestOf, namespaces, relationOf } from "./support/objects.ts";

describe("a shard", () => {
  it("is none where a relay is for the whole cluster", () => {
    expect(shardOf({})).toBeUndefined();
  });

  it("has a name by what it holds, in whatever order, that a Lease can have", () => {
    const names = [
      shardOf({ namespaces: ["b", "a", "a"] }),
      shardOf({ namespaces: ["a", "b"] }),
      shardOf({ namespaces: ["a", "b"], selector: "team=a" }),
      shardOf({ selector: "team=a" }),
      shardOf({ selector: "team-a" }),
      shardOf({ selector: `!${"x".repeat(63)}` }),
    ].map((shard) => shard!.name);
    expect(names[0]).toBe(names[1]);
    expect(new Set(names).size).toBe(5);
    for (const name of names) expect(name).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
    expect(names[3]).toMatch(/^team-a-[0-9a-f]{8}$/);
  });
});

describe("a selector of primaries", () => {
  it.each([
    ["team=a"],
    ["team==a"],
    ["team!=a"],
    ["team in (a,b)"],
    ["team notin (a, b)"],
    ["team"],
    ["!team"],
    ["example.com/team=a,tier in (x,y),!z"],
  ])("may be %s", (text) => expect(readSelector(text)).toBe(text));

  it("is without blanks around its requirements", () => {
    expect(readSelector("team=a, tier=b ")).toBe("team=a,tier=b");
  });

  it.each(["", "team=a,", "=a", "team in a", "team in (a", "team=a b", "team=a&watch=1", "té=a", "team > 1"])(
    "is not %j",
    (text) => expect(readSelector(text)).toBeUndefined(),
  );
});

const manifest = manifestOf({
  docs: [
    relationOf({ watch: { resource: documents, matchLabels: { tier: "x" } } }),
    relationOf({ id: "owns", watch: { resource: configMaps }, mapping: { by: "owner", owner: "controller" } }),
    relationOf({ id: "spaces", watch: { resource: namespaces }, mapping: { by: "label", label: "doc" } }),
  ],
  // Whose primaries are what the other's are related to.
  maps: [relationOf({ watch: { resource: configMaps, namespaces: ["a", "z"] } })],
});

describe("the watches of a shard", () => {
  it("select primaries, and nothing that these are related to", () => {
    const plans = planWatches(manifest, "team=a");
    expect(plans.map(({ path, labelSelector }) => [path, labelSelector])).toEqual([
      ["/apis/example.com/v1/documents", "tier=x,team=a"],
      ["/api/v1/configmaps", undefined],
      ["/api/v1/namespaces", undefined],
      ["/api/v1/namespaces/a/configmaps", "team=a"],
      ["/api/v1/namespaces/z/configmaps", "team=a"],
    ]);
  });

  it("are in its namespaces that a controller asks for too, but for kinds without one", () => {
    const paths = planWatches(withinNamespaces(manifest, ["a", "b"])).map(({ path }) => path);
    expect(paths).toEqual([
      "/apis/example.com/v1/namespaces/a/documents",
      "/apis/example.com/v1/namespaces/b/documents",
      "/api/v1/namespaces/a/configmaps",
      "/api/v1/namespaces/b/configmaps",
      "/api/v1/namespaces",
    ]);
  });

  it("are all where it is the whole cluster", () => {
    expect(withinNamespaces(manifest, undefined)).toBe(manifest);
  });
});
