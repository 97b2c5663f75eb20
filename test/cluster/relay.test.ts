import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connectKube, credentialSource, type NodeTransport } from "../../adapters/runtime/node/kube-config/index.ts";
import { systemClock } from "../../adapters/runtime/system-clock.ts";
import {
  type Manifest,
  problemOf,
  type Relation,
  type ResourceRef,
  type Trigger,
  type TriggersRequest,
} from "../../functions/contract/index.ts";
import type { Clock } from "../../functions/ports/index.ts";
import { type Relay, startRelay } from "../../infra/relay/relay.ts";
import { configMaps, manifestOf, relationOf, secrets } from "../relay/support/objects.ts";
import { secret } from "../relay/support/scripted-ingress.ts";
import { tapTransport } from "../relay/support/tapped-transport.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { applyCrd, newNamespace, sharedCluster } from "./support/cluster.ts";
import { eventually } from "./support/eventually.ts";
import { applyPatch } from "./support/kube-api.ts";

const { api } = sharedCluster();
let transport: NodeTransport;
let namespace: string;
let relay: Relay;
let received: Trigger[];

beforeAll(async () => {
  transport = await connectKube(credentialSource(process.env));
});
afterAll(() => transport.close());
beforeEach(async () => {
  namespace = await newNamespace(api);
  received = [];
});
afterEach(() => relay.stop());

/** Time a hundred times as fast, for limits of minutes. */
const fastClock: Clock = {
  now: () => systemClock.now(),
  monotonic: () => systemClock.monotonic() * 100,
  setTimer: (delayMs, callback) => systemClock.setTimer(delayMs / 100, callback),
};

/** A relay whose ingress accepts everything. */
function start(relations: Relation[], clock = systemClock) {
  const declared: Manifest = manifestOf({ docs: relations });
  const tapped = tapTransport(transport);
  relay = startRelay({
    cluster: "home",
    transport: tapped,
    secrets: [secret],
    clock,
    logger: recordingLogger(),
    random: Math.random,
    ingress: {
      async fetch(path, { body }) {
        if (path === "/manifest") return Response.json(declared);
        if (path.startsWith("/checkpoint")) return Response.json(problemOf("not-found", "none here"), { status: 404 });
        const { triggers = [] } = JSON.parse(new TextDecoder().decode(body)) as Partial<TriggersRequest>; // none: /wake
        received.push(...triggers);
        const rest = { nextWakeInMs: null, timer: "platform", revision: "r1", epoch: "e1" };
        return Response.json(
          { apiVersion: "sluice.dev/v1", accepted: triggers.length, rejected: [], ...rest },
          { status: 202 },
        );
      },
    },
  });
  return tapped.tap;
}

/** As an older server does, ours refuses what is left of the request for a streaming list. */
const inPages = (asked: string): string => asked.replace("sendInitialEvents=true&", "");

const all = (): Relation => relationOf({ watch: { resource: configMaps, namespaces: [namespace] } });
const configMap = (name: string, over: object = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace },
  ...over,
});
const path = (name = "") => `/api/v1/namespaces/${namespace}/configmaps${name === "" ? "" : `/${name}`}`;
const of = (name: string) =>
  received.filter((trigger) => trigger.name === name).map(({ lane, cause }) => `${lane} ${cause}`);
const told = (name: string, text: string) =>
  eventually(`${name}: ${text}`, 10_000, () => of(name).some((each) => each.includes(text)));

describe("R1 list and watch", () => {
  test("what is there is listed, what changes is told at once", async () => {
    await api.create(path(), configMap("a"));
    const tap = start([all()]);
    await relay.synced;
    expect(tap.paths).toEqual([expect.stringContaining("sendInitialEvents=true")]);
    await told("a", "resync ConfigMap");
    await api.create(path(), configMap("b"));
    await told("b", "ADDED");
    await api.patch(path("b"), { data: { x: "1" } });
    await told("b", "MODIFIED");
    await api.delete(path("b"));
    await told("b", "DELETED");
    expect(relay.status()).toMatchObject({ ready: true, watches: [{ state: "Watching", relists: 0, reconnects: 0 }] });
  });

  test("only metadata travels", async () => {
    await api.create(path(), configMap("large", { data: { text: "x".repeat(500_000) } }));
    const tap = start([all()]);
    await relay.synced;
    await api.patch(path("large"), { metadata: { labels: { a: "b" } } });
    await told("large", "MODIFIED");
    expect(tap.bytes).toBeGreaterThan(100);
    expect(tap.bytes).toBeLessThan(20_000);
  });

  test("whole objects travel where a field is named, and the field is followed", async () => {
    const named = relationOf({
      id: "watches/Secret",
      watch: { resource: secrets, namespaces: [namespace] },
      mapping: { by: "namedBy", field: ".data.secretName" },
    });
    await api.create(path(), configMap("a", { data: { secretName: "s" } }));
    start([all(), named]);
    await relay.synced;
    const secretPath = `/api/v1/namespaces/${namespace}/secrets`;
    await api.create(secretPath, { apiVersion: "v1", kind: "Secret", metadata: { name: "s" } });
    await told("a", "Secret");
    await api.patch(path("a"), { data: { secretName: "t" } });
    await told("a", "MODIFIED");
    await api.create(secretPath, { apiVersion: "v1", kind: "Secret", metadata: { name: "t" } });
    await told("a", `Secret ${namespace}/t ADDED`);
  });

  test("R2 a list comes page by page", async () => {
    for (const name of ["a", "b", "c", "d", "e"]) await api.create(path(), configMap(name));
    const tap = start([all()]);
    tap.rewritePath = (asked) => inPages(asked).replace("limit=500", "limit=2");
    await relay.synced;
    await told("e", "listed");
    expect(tap.paths.filter((asked) => asked.includes("continue="))).toHaveLength(
      Math.ceil(relay.status().watches[0]!.objects / 2) - 1,
    );
  });
});

describe("R1 a kind of its own", () => {
  const crdOf = (group: string) => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind: "Thing", plural: "things" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  });
  const thingsOf = (group: string): Relation =>
    relationOf({ watch: { resource: { group, version: "v1", kind: "Thing", plural: "things", scope: "Namespaced" } } });

  test("that is missing is told in the status, and watched when it appears", async () => {
    const group = `late-${process.pid}.sluice.test`;
    start([thingsOf(group)]);
    await eventually("the 404 is shown", 10_000, () => relay.status().watches[0]?.error?.includes("404"));
    expect(relay.status().ready).toBe(false);
    await applyCrd(api, crdOf(group));
    await relay.synced;
    await eventually("the relay is ready", 10_000, () => relay.status().ready);
  });

  test("whose version has expired is listed again: what changed and what vanished is told, nothing else", async () => {
    const group = `expired-${process.pid}.sluice.test`;
    await applyCrd(api, crdOf(group));
    const things = `/apis/${group}/v1/namespaces/${namespace}/things`;
    for (const name of ["same", "changed", "vanished"])
      await api.create(things, { apiVersion: `${group}/v1`, kind: "Thing", metadata: { name, namespace } });
    const tap = start([thingsOf(group)]);
    // The first watch is of nothing, and ends after 2 s; the next one asks for a version from before the kind was served.
    let watches = 0;
    tap.rewritePath = (asked) => {
      if (!asked.includes("resourceVersion=")) return inPages(asked);
      watches++;
      if (watches === 1) return asked.replace(/timeoutSeconds=\d+/, "timeoutSeconds=2&labelSelector=no%3Dthing");
      return watches === 2 ? asked.replace(/resourceVersion=\d+/, "resourceVersion=1") : asked;
    };
    await relay.synced;
    await told("same", "listed");
    received = [];
    await api.patch(`${things}/changed`, { metadata: { labels: { x: "1" } } });
    await api.delete(`${things}/vanished`);
    await told("changed", "resync Thing");
    await told("vanished", "resync Thing");
    expect(received.map(({ name }) => name).sort()).toEqual(["changed", "vanished"]);
    expect(relay.status().watches[0]).toMatchObject({ relists: 1 });
    await api.patch(`${things}/same`, { metadata: { labels: { x: "1" } } });
    await told("same", "live Thing");
  });
});

test("R1 a kind that can neither be watched nor be compared is shown, and not asked without end", async () => {
  const statuses = { group: "", version: "v1", kind: "ComponentStatus", plural: "componentstatuses", scope: "Cluster" };
  const tap = start([relationOf({ watch: { resource: statuses as ResourceRef } })], fastClock);
  await eventually("why is shown", 10_000, () => relay.status().reasons.some((why) => why.includes("resourceVersion")));
  const asked = () => tap.paths.filter((path) => path.includes("componentstatuses")).length;
  const [from, before] = [fastClock.monotonic(), asked()];
  await eventually("ten minutes have passed", 20_000, () => fastClock.monotonic() - from > 600_000);
  // One in 30 s at most, less a quarter of jitter, and the first ones sooner.
  expect(asked() - before).toBeLessThan(600 / (30 * 0.75) + 6);
  expect(relay.status().ready).toBe(false);
});

test("R13 own writes are told from a stranger's", async () => {
  start([{ ...all(), ownWrites: "ignore" }]);
  await relay.synced;
  const own = (text: string) =>
    api.request("PATCH", `${path("cm")}?fieldManager=docs&force=true`, configMap("cm", { data: { text } }), applyPatch);
  await own("1");
  await api.patch(path("cm"), { data: { stranger: "1" } });
  await told("cm", "MODIFIED");
  expect(of("cm")).toHaveLength(1);
  await own("2");
  await api.delete(path("cm"));
  await told("cm", "DELETED");
  // The repair fell into the same second as the creation: then it cannot be told, and triggers.
  expect(of("cm").length).toBeLessThanOrEqual(3);
});

test("R14 a server whose versions are below what was seen is listed as it is", async () => {
  await api.create(path(), configMap("a"));
  const tap = start([all()], fastClock);
  // As if the list had come from a store that was then put back to an older copy.
  tap.rewritePath = inPages;
  tap.rewriteText = (text) =>
    text.replace(/"resourceVersion":"(\d+)"/, (_, version) => {
      tap.rewriteText = (same) => same;
      return `"resourceVersion":"${Number(version) + 1_000_000}"`;
    });
  await relay.synced;
  await eventually("everything is triggered twice", 30_000, () => of("a").length === 2);
  expect(relay.status().watches[0]).toMatchObject({ relists: 1 });
  await api.create(path(), configMap("b"));
  await told("b", "ADDED");
});
