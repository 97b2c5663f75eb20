/** A mapping that is code, all the way round: relay, functions, and back to the keys. */
import { awaitChange, type Controller, defineController, type MapTo } from "sluice";
import { ConfigMap, Secret } from "sluice/kinds";
import { describe, expect, it } from "vitest";
import { manifestOf } from "../../functions/controller/manifest.ts";
import { loop, MAPS, map, type Version } from "./support/loop.ts";

const SECRETS = "/api/v1/namespaces/default/secrets";
const secret = (name: string, team: string) => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name, labels: { team } },
});

/** ConfigMaps, and Secrets that concern those which the code names. */
async function version(mapTo: MapTo): Promise<Version> {
  const watches = [{ resource: Secret, mapTo }];
  const options = { name: "maps", for: ConfigMap, watches, reconcile: () => awaitChange() };
  const controller = defineController()(options) as unknown as Controller;
  return { controller, manifest: await manifestOf([controller]) };
}

const byTeam = ({ metadata }: Secret) => [{ namespace: metadata.namespace, name: metadata.labels?.team ?? "" }];

async function world(mapTo: MapTo = byTeam) {
  const bench = await loop(await version(mapTo));
  for (const name of ["a", "b"]) await bench.kubectl.create(MAPS, map(name));
  const { relay } = bench.startRelay();
  await bench.rest();
  bench.runs.length = 0;
  return {
    ...bench,
    relay,
    ran() {
      const names = bench.runs.map((run) => run.split(" ")[0]);
      bench.runs.length = 0;
      return names.sort();
    },
  };
}

describe("R4 R5 by code", () => {
  it("the keys of the old state and of the new one run, once each", async () => {
    const { kubectl, ran, rest } = await world();
    await kubectl.create(SECRETS, secret("s", "a"));
    await rest();
    expect(ran()).toEqual(["a"]);
    await kubectl.merge(`${SECRETS}/s`, { metadata: { labels: { team: "b" } } });
    await rest();
    expect(ran()).toEqual(["a", "b"]);
    await kubectl.delete(`${SECRETS}/s`);
    await rest();
    expect(ran()).toEqual(["b"]);
  });

  it("what fails is said in the status, and is told as soon as the code can", async () => {
    let broken = true;
    const { kubectl, logger, pass, ran, relay, rest } = await world((object: Secret) => {
      if (broken) throw new Error("the directory is down");
      return byTeam(object);
    });
    await kubectl.create(SECRETS, secret("s", "a"));
    await rest();
    expect(ran()).toEqual([]);
    expect(relay.status()).toMatchObject({
      ready: false,
      reasons: [
        expect.stringContaining("mapping maps/watches/Secret: maps cannot map default/s: the directory is down"),
      ],
    });
    expect(logger.lines).toContainEqual(expect.objectContaining({ level: "warn", message: "mapTo failed" }));
    broken = false;
    await pass(30_000);
    expect(ran()).toEqual(["a"]);
    expect(relay.status().ready).toBe(true);
  });

  it("X2 a key of another controller runs nothing", async () => {
    const { kubectl, ran, relay, rest } = await world((() => [
      { controller: "others", namespace: "default", name: "a" },
    ]) as MapTo);
    await kubectl.create(SECRETS, secret("s", "a"));
    await rest();
    expect(ran()).toEqual([]);
    expect(relay.status().reasons).toEqual([expect.stringContaining("keys.0.controller: is not maps")]);
  });

  it("R12 other code is asked about what is there already", async () => {
    const asked: string[] = [];
    const { declare, kubectl, pass, ran, rest, run } = await world();
    await kubectl.create(SECRETS, secret("s", "a"));
    await rest();
    ran();
    const next = await version((object: Secret) => {
      asked.push(object.metadata.name);
      return [{ namespace: "default", name: "b" }];
    });
    declare(next);
    run(next);
    await pass(120_000);
    expect(asked).toEqual(["s"]);
    ran();
    await kubectl.merge(`${SECRETS}/s`, { metadata: { labels: { team: "c" } } });
    await rest();
    expect(ran()).toEqual(["b"]);
  });

  it("R12 what fails is asked about no more once it is declared no more", async () => {
    const { declare, kubectl, pass, relay, rest } = await world(() => {
      throw new Error("for ever");
    });
    await kubectl.create(SECRETS, secret("s", "a"));
    await rest();
    expect(relay.status().ready).toBe(false);
    const controller = defineController()({ name: "maps", for: ConfigMap, reconcile: () => awaitChange() });
    declare({ controller: controller as unknown as Controller, manifest: await manifestOf([controller as never]) });
    await pass(120_000);
    expect(relay.status()).toMatchObject({ ready: true, reasons: [] });
  });
});
