/** A relay that is restarted with what was declared by code and by namespaces: from its checkpoint (R7). */
import { awaitChange, type Controller, defineController, type MapTo } from "sluice";
import { ConfigMap, Secret } from "sluice/kinds";
import { expect, it } from "vitest";
import { manifestOf } from "../../functions/controller/manifest.ts";
import { loop, map } from "./support/loop.ts";

const NAMESPACES = "/api/v1/namespaces";
const mapsIn = (namespace: string) => `${NAMESPACES}/${namespace}/configmaps`;
const SECRETS = `${NAMESPACES}/x/secrets`;
const secret = (team: string) => ({ apiVersion: "v1", kind: "Secret", metadata: { name: "s", labels: { team } } });
const byTeam: MapTo = ({ metadata }: Secret) => [{ namespace: "x", name: metadata.labels?.team ?? "" }];

async function world(mapTo: MapTo = byTeam) {
  const controller = defineController()({
    name: "maps",
    for: ConfigMap,
    namespaces: { matchLabels: { team: "x" } },
    predicate: { labels: ["tier"] },
    watches: [{ resource: Secret, mapTo }],
    reconcile: () => awaitChange(),
  }) as unknown as Controller;
  const bench = await loop({ controller, manifest: await manifestOf([controller]) }, { kept: true });
  const { kubectl, pass, rest, runs } = bench;
  for (const [name, team] of Object.entries({ x: "x", y: "y" })) {
    await kubectl.create(NAMESPACES, { apiVersion: "v1", kind: "Namespace", metadata: { name, labels: { team } } });
    for (const each of ["a", "b"]) await kubectl.create(mapsIn(name), map(`${name}-${each}`));
  }
  const started = () => bench.startRelay().relay;
  const first = started();
  await pass(20_000);
  runs.length = 0;
  return {
    ...bench,
    first,
    ran() {
      const names = runs.map((run) => run.split(" ")[0]);
      runs.length = 0;
      return names.sort();
    },
    /** Another relay, and what runs within half a minute of it. */
    async restarted() {
      const relay = started();
      await rest();
      await pass(30_000);
      expect(relay.status().reasons).toEqual([]);
      return relay;
    },
  };
}

it("R7 a restart with nothing changed runs nothing, and goes on as before", async () => {
  const { first, kubectl, ran, rest, restarted } = await world();
  await kubectl.create(SECRETS, secret("x-a"));
  await rest();
  expect(ran()).toEqual(["x-a"]);
  await first.stop();
  await restarted();
  expect(ran()).toEqual([]);
  await kubectl.merge(`${SECRETS}/s`, { metadata: { labels: { team: "x-b" } } });
  await rest();
  expect(ran(), "R4 the keys that code told before").toEqual(["x-a", "x-b"]);
  await kubectl.merge(`${mapsIn("x")}/x-a`, { data: { a: "1" } });
  await rest();
  expect(ran(), "R6 values that were seen before").toEqual([]);
  await kubectl.merge(`${mapsIn("x")}/x-a`, { metadata: { labels: { tier: "1" } } });
  await rest();
  expect(ran()).toEqual(["x-a"]);
});

it("R7 a namespace that was selected, or no longer, while the relay was down is told of", async () => {
  const { first, kubectl, ran, restarted } = await world();
  await first.stop();
  await kubectl.merge(`${NAMESPACES}/y`, { metadata: { labels: { team: "x" } } });
  await restarted().then((relay) => relay.stop());
  expect(ran()).toEqual(["y-a", "y-b"]);
  await kubectl.merge(`${NAMESPACES}/x`, { metadata: { labels: { team: "y" } } });
  await restarted();
  expect(ran()).toEqual(["x-a", "x-b"]);
});

it("R7 an object that waits for code as the relay stops is asked about by the next one", async () => {
  let broken = true;
  const { first, kubectl, ran, rest, restarted } = await world((object, context) => {
    if (broken) throw new Error("not now");
    return byTeam(object, context);
  });
  await kubectl.create(SECRETS, secret("x-a"));
  await rest();
  await first.stop();
  expect(ran()).toEqual([]);
  broken = false;
  await restarted();
  expect(ran()).toEqual(["x-a"]);
});
