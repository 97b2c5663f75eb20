/** Namespaces that labels select, all the way round: watches, keys, and what a namespace that goes leaves behind. */
import { awaitChange, type Controller, type ControllerOptions, defineController } from "sluice";
import { ConfigMap, Secret } from "sluice/kinds";
import { describe, expect, it } from "vitest";
import { manifestOf } from "../../functions/controller/manifest.ts";
import { MAX_WATCHED_NAMESPACES } from "../../infra/relay/plan/places.ts";
import { loop, type Version } from "./support/loop.ts";

const FINALIZER = "example.com/cleanup";
const NAMESPACES = "/api/v1/namespaces";
const mapsIn = (namespace: string) => `${NAMESPACES}/${namespace}/configmaps`;

async function declared(over: Partial<ControllerOptions<unknown, object, ConfigMap>> = {}): Promise<Version> {
  const controller = defineController()({
    name: "maps",
    for: ConfigMap,
    namespaces: { matchLabels: { team: "x" } },
    reconcile: () => awaitChange(),
    ...over,
  } as ControllerOptions<unknown, object, ConfigMap>) as unknown as Controller;
  return { controller, manifest: await manifestOf([controller]) };
}

/** Namespaces with a ConfigMap each, called after them. */
async function world(namespaces: Record<string, boolean>, over?: Parameters<typeof declared>[0]) {
  const bench = await loop(await declared(over));
  const { kubectl, rest, runs } = bench;
  const label = (selected: boolean) => ({ team: selected ? "x" : "y" });
  for (const [name, selected] of Object.entries(namespaces)) {
    await kubectl.create(NAMESPACES, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name, labels: label(selected) },
    });
    await kubectl.create(mapsIn(name), { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `map-${name}` } });
  }
  const { relay } = bench.startRelay();
  await rest();
  return {
    ...bench,
    relay,
    /** What ran since it was asked last: `map-a`. */
    ran() {
      const names = runs.map((run) => run.split(" ")[0]);
      runs.length = 0;
      return names.sort();
    },
    async select(name: string, selected: boolean) {
      await kubectl.merge(`${NAMESPACES}/${name}`, { metadata: { labels: label(selected) } });
      await rest();
    },
    finalizersIn: async (name: string) => (await kubectl.get(`${mapsIn(name)}/map-${name}`))?.metadata.finalizers ?? [],
    watched: () =>
      relay
        .status()
        .watches.map(({ resource, namespace }) => `${resource} ${namespace ?? "all"}`)
        .sort(),
  };
}

describe.each([
  ["a watch each", 2],
  ["one watch for all", MAX_WATCHED_NAMESPACES + 1],
])("namespaces by label, with %s", (_, count) => {
  const others = Object.fromEntries(Array.from({ length: count - 1 }, (_, i) => [`n-${i}`, true]));
  const bench = (over?: Parameters<typeof declared>[0]) => world({ ...others, a: true, b: false }, over);
  const first = ["map-a", ...Object.keys(others).map((name) => `map-${name}`)].sort();

  it("only what they hold runs, each once", async () => {
    const { ran, relay, watched } = await bench();
    expect(ran()).toEqual(first);
    await expect(relay.synced).resolves.toBeUndefined();
    expect(relay.status().ready).toBe(true);
    expect(watched()).toEqual(
      count === 2 ? ["configmaps a", "configmaps n-0", "namespaces all"] : ["configmaps all", "namespaces all"],
    );
  });

  it("a change runs in a namespace that is selected, and nowhere else", async () => {
    const { kubectl, ran, rest } = await bench();
    ran();
    for (const name of ["a", "b"]) await kubectl.merge(`${mapsIn(name)}/map-${name}`, { data: { x: "1" } });
    await rest();
    expect(ran()).toEqual(["map-a"]);
  });

  it("R8 F1 a namespace that gains the label adds its keys, and what changes there from then on", async () => {
    const { kubectl, ran, rest, select } = await bench();
    ran();
    await select("b", true);
    expect(ran()).toEqual(["map-b"]);
    await kubectl.merge(`${mapsIn("b")}/map-b`, { data: { x: "1" } });
    await rest();
    expect(ran()).toEqual(["map-b"]);
  });

  it("R8 F1 a namespace that loses the label has its keys cleaned up and released, and is heard of no more", async () => {
    const cleaned: string[] = [];
    const { finalizersIn, kubectl, ran, rest, select } = await bench({
      finalizer: FINALIZER,
      cleanup: ({ metadata: { name } }) => void cleaned.push(name),
    });
    expect(await finalizersIn("a")).toEqual([FINALIZER]);
    ran();
    await select("a", false);
    expect(ran()).toContain("map-a");
    expect(cleaned).toEqual(["map-a"]);
    expect(await finalizersIn("a")).toEqual([]);
    ran();
    await kubectl.merge(`${mapsIn("a")}/map-a`, { data: { x: "1" } });
    await rest();
    expect(ran()).toEqual([]);
    expect(await finalizersIn("b")).toEqual([]);
  });

  it("related objects wake their primaries in a namespace that is selected alone", async () => {
    const { kubectl, ran, rest } = await bench({ watches: [{ resource: Secret, byLabel: "map" }] });
    ran();
    for (const name of ["a", "b"]) {
      const metadata = { name: "s", labels: { map: `map-${name}` } };
      await kubectl.create(`${NAMESPACES}/${name}/secrets`, { apiVersion: "v1", kind: "Secret", metadata });
    }
    await rest();
    expect(ran()).toEqual(["map-a"]);
  });
});

it("R12 a redeploy that selects other namespaces moves the watches, and releases what is left behind", async () => {
  const bench = await world({ a: true, b: false }, { finalizer: FINALIZER, cleanup: () => {} });
  const next = await declared({
    finalizer: FINALIZER,
    cleanup: () => {},
    namespaces: { matchExpressions: [{ key: "team", operator: "NotIn", values: ["x"] }] },
  });
  bench.declare(next);
  bench.run(next);
  await bench.pass(120_000);
  expect(await bench.finalizersIn("a")).toEqual([]);
  expect(await bench.finalizersIn("b")).toEqual([FINALIZER]);
  expect(bench.watched().filter((watch) => watch.startsWith("configmaps"))).toContain("configmaps b");
  expect(bench.watched()).not.toContain("configmaps a");
});

it("R8 the API server itself selects by label and by field: nothing else is ever heard of", async () => {
  const selector = {
    matchExpressions: [{ key: "tier", operator: "DoesNotExist" as const }],
    matchFields: { ".metadata.name": "map-a" },
  };
  const { ran, relay } = await world({ a: true, b: true }, { selector });
  expect(ran()).toEqual(["map-a"]);
  expect(relay.status().watches).toContainEqual(
    expect.objectContaining({
      namespace: "b",
      labelSelector: "!tier",
      fieldSelector: "metadata.name=map-a",
      objects: 0,
    }),
  );
});
