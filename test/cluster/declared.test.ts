/** Every predicate, mapping and selector against a real API server: which keys of which controllers a change triggers. */
import { awaitChange, type Controller, defineController, type Owns, type Predicate, type Watches } from "sluice";
import { ConfigMap, Secret } from "sluice/kinds";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connectKube, credentialSource, type NodeTransport } from "../../adapters/runtime/node/kube-config/index.ts";
import { systemClock } from "../../adapters/runtime/system-clock.ts";
import { createMemoryScheduler } from "../../adapters/scheduler/memory.ts";
import { API_VERSION } from "../../functions/contract/index.ts";
import { manifestOf } from "../../functions/controller/manifest.ts";
import { inProcess } from "../../functions/http/in-process.ts";
import { createIngress } from "../../functions/http/ingress.ts";
import { type Relay, startRelay } from "../../infra/relay/relay.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { newNamespace, sharedCluster } from "./support/cluster.ts";
import { eventually } from "./support/eventually.ts";

const LIMIT_MS = 30_000;
const { api } = sharedCluster();
let transport: NodeTransport;
let namespace: string;
let relay: Relay;
let runs: string[];

beforeAll(async () => {
  transport = await connectKube(credentialSource(process.env));
});
afterAll(() => transport.close());
beforeEach(async () => {
  namespace = await newNamespace(api);
  runs = [];
});
afterEach(() => relay.stop());

type Rest = { owns?: Owns[]; watches?: Watches[]; predicate?: Predicate; selector?: Watches["selector"] };

/** A controller of the ConfigMaps that are labelled as primaries, in the namespaces of this test. */
const controller = (name: string, { selector, ...rest }: Rest = {}): Controller =>
  defineController()({
    name,
    for: ConfigMap,
    namespaces: { matchLabels: { "test.sluice.dev/of": namespace } },
    selector: selector ?? { matchLabels: { primary: "yes" } },
    reconcile: () => awaitChange(),
    ...rest,
  }) as unknown as Controller;

/** Functions that only note what they are asked to run, and a relay of their own. */
async function start(controllers: readonly Controller[]): Promise<void> {
  await select(namespace, true);
  const manifest = await manifestOf(controllers);
  const common = { clock: systemClock, logger: recordingLogger() };
  const scheduler = createMemoryScheduler({
    ...common,
    controllers: new Map(controllers.map(({ name, scheduling }) => [name, scheduling])),
    clusters: new Set(["home"]),
    invoker: {
      async invoke({ key }) {
        runs.push(`${key.controller} ${key.name}`);
        return { apiVersion: API_VERSION, outcome: "success", action: { awaitChange: true } };
      },
    },
  });
  const ingress = createIngress({
    ...{ ...common, manifest, scheduler, controllers },
    clusters: [{ name: "home", secrets: [], embedded: true }],
  });
  relay = startRelay({
    ...{ ...common, cluster: "home", transport, secrets: [], random: Math.random },
    ingress: inProcess(ingress, "home"),
  });
  await relay.synced;
}

const select = (name: string, selected: boolean) =>
  api.patch(`/api/v1/namespaces/${name}`, {
    metadata: { labels: { "test.sluice.dev/of": selected ? namespace : null } },
  });
const path = (plural: string, name = "") => `/api/v1/namespaces/${namespace}/${plural}${name === "" ? "" : `/${name}`}`;
const primary = (name: string, over: object = {}, labels: object = { primary: "yes" }) =>
  api.create(path("configmaps"), { apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels }, ...over });
const secret = (over: { metadata?: object; [field: string]: unknown } = {}, name = "s") =>
  api.create(path("secrets"), { apiVersion: "v1", kind: "Secret", ...over, metadata: { name, ...over.metadata } });

/** Waits until these have run, then tells all that ran since it was asked last, each once. */
async function ran(...awaited: string[]): Promise<string[]> {
  await eventually(`${awaited.join(", ")} ran`, LIMIT_MS, () => awaited.every((each) => runs.includes(each)));
  const told = [...new Set(runs)].sort();
  runs = [];
  return told;
}

describe("R4 each mapping wakes the primaries of the old state and the new one", () => {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const ownedBy = (name: string, uid: string) => ({
    metadata: { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name, uid, controller: true }] },
  });

  test.each<[string, Rest, (name: string, uid: string) => { metadata?: object; data?: object }]>([
    ["owner", { owns: [{ resource: Secret }] }, ownedBy],
    ["label", { watches: [{ resource: Secret, byLabel: "doc" }] }, (doc) => ({ metadata: { labels: { doc } } })],
    [
      "annotation",
      { watches: [{ resource: Secret, byAnnotation: "test.sluice.dev/doc" }] },
      (name) => ({ metadata: { annotations: { "test.sluice.dev/doc": name } } }),
    ],
    [
      "field",
      { watches: [{ resource: Secret, byField: ".metadata.labels.doc" }] },
      (doc) => ({ metadata: { labels: { doc } } }),
    ],
    [
      "code",
      {
        watches: [
          {
            resource: Secret,
            mapTo: ({ metadata, data }: Secret) => [
              { namespace: metadata.namespace, name: Buffer.from(data?.doc ?? "", "base64").toString() },
            ],
          },
        ],
      },
      (name) => ({ data: { doc: base64(name) } }),
    ],
    [
      "code of metadata",
      {
        watches: [
          {
            resource: Secret,
            objects: "metadata",
            mapTo: ({ metadata, data }: Secret) =>
              data ? [] : [{ namespace: metadata.namespace, name: metadata.labels?.doc ?? "" }],
          },
        ],
      },
      (doc) => ({ metadata: { labels: { doc } }, data: { x: base64("y") } }),
    ],
  ])("by %s", async (_, rest, named) => {
    const [a, b] = await Promise.all([primary("a"), primary("b")]);
    await start([controller("maps", rest)]);
    await ran("maps a", "maps b");
    await secret(named("a", a.metadata.uid));
    expect(await ran("maps a")).toEqual(["maps a"]);
    await api.patch(path("secrets", "s"), named("b", b.metadata.uid));
    expect(await ran("maps a", "maps b")).toEqual(["maps a", "maps b"]);
    await api.delete(path("secrets", "s"));
    expect(await ran("maps b")).toEqual(["maps b"]);
  });

  test("namedBy", async () => {
    await Promise.all([primary("a", { data: { secret: "s" } }), primary("b")]);
    await start([controller("maps", { watches: [{ resource: Secret, namedBy: ".data.secret" }] })]);
    await ran("maps a", "maps b");
    await secret();
    expect(await ran("maps a")).toEqual(["maps a"]);
    await api.patch(path("configmaps", "b"), { data: { secret: "s" } });
    expect(await ran("maps b")).toEqual(["maps b"]);
    await api.delete(path("secrets", "s"));
    expect(await ran("maps a", "maps b")).toEqual(["maps a", "maps b"]);
  });
});

test("R6 each predicate passes what it is for, and nothing else", async () => {
  const predicates: Record<string, Predicate> = {
    annotations: { annotations: ["note"] },
    any: { anyOf: [{ labels: ["tier"] }, { annotations: ["note"] }] },
    both: { allOf: [{ labels: ["tier"] }, { annotations: ["note"] }] },
    created: { events: ["created"] },
    data: { field: ".data" },
    deleted: { events: ["deleted"] },
    every: "resourceVersion",
    fallback: { fallback: [{ annotations: ["note"] }, { labels: ["tier"] }] },
    finalizers: { finalizers: "all" },
    labels: { labels: ["tier"] },
  };
  const names = Object.keys(predicates);
  const byLabel = (name: string) => ({ resource: Secret, byLabel: "doc", predicate: predicates[name]! });
  await start(names.map((name) => controller(name, { watches: [byLabel(name)] })));
  const metadata = (over: object) => ({ metadata: over });
  /** `every` comes with the same event as those that it passes for. */
  const passed = async () => (await ran("every a")).map((run) => run.split(" ")[0]);

  await secret(metadata({ labels: { doc: "a" } }));
  expect(await passed(), "created").toEqual(names.filter((name) => name !== "deleted"));
  for (const [what, patch, expected] of [
    ["another label", metadata({ labels: { other: "1" } }), ["every"]],
    ["the label", metadata({ labels: { tier: "1" } }), ["any", "every", "fallback", "labels"]],
    ["data", { data: { x: "eA==" } }, ["data", "every"]],
    ["the annotation", metadata({ annotations: { note: "1" } }), ["annotations", "any", "every", "fallback"]],
    ["the label, where the annotation has a value", metadata({ labels: { tier: "2" } }), ["any", "every", "labels"]],
    [
      "both",
      metadata({ labels: { tier: "3" }, annotations: { note: "2" } }),
      ["annotations", "any", "both", "every", "fallback", "labels"],
    ],
    ["a finalizer", metadata({ finalizers: ["test.sluice.dev/x"] }), ["every", "finalizers"]],
  ] as const) {
    await api.patch(path("secrets", "s"), patch);
    expect(await passed(), what).toEqual(expected);
  }
  await api.delete(path("secrets", "s"));
  expect(await passed(), "the beginning of the deletion").toEqual(names);
  await api.patch(path("secrets", "s"), metadata({ finalizers: null }));
  await ran("deleted a", "every a", "labels a");
});

test("R6 a primary's own predicate, and its deletion", async () => {
  await start([
    controller("default"),
    controller("labels", { predicate: { labels: ["tier"] } }),
    controller("every", { predicate: "resourceVersion" }),
  ]);
  await primary("a");
  expect(await ran("every a", "labels a", "default a")).toHaveLength(3);
  await api.patch(path("configmaps", "a"), { data: { x: "1" } });
  expect(await ran("every a", "default a"), "a kind without a generation").toEqual(["default a", "every a"]);
  await api.patch(path("configmaps", "a"), { metadata: { labels: { tier: "1" } } });
  expect(await ran("every a", "labels a")).toContain("labels a");
  await api.delete(path("configmaps", "a"));
  expect(await ran("every a", "labels a", "default a")).toHaveLength(3);
});

describe("selectors", () => {
  test("R8 F1 by labels and by fields: what leaves the selection is told", async () => {
    await start([
      controller("in", { selector: { matchExpressions: [{ key: "tier", operator: "In", values: ["x", "y"] }] } }),
      controller("not", { selector: { matchExpressions: [{ key: "tier", operator: "NotIn", values: ["x"] }] } }),
      controller("has", { selector: { matchExpressions: [{ key: "tier", operator: "Exists" }] } }),
      controller("lacks", { selector: { matchExpressions: [{ key: "tier", operator: "DoesNotExist" }] } }),
      controller("name", { selector: { matchFields: { ".metadata.name": "a" } } }),
    ]);
    await primary("a", {}, { tier: "x" });
    expect((await ran("in a", "has a", "name a")).filter((run) => run.endsWith(" a"))).toEqual([
      "has a",
      "in a",
      "name a",
    ]);
    await primary("b", {}, {});
    expect((await ran("lacks b", "not b")).filter((run) => run.endsWith(" b"))).toEqual(["lacks b", "not b"]);
    await api.patch(path("configmaps", "a"), { metadata: { labels: { tier: null } } });
    await ran("in a", "has a", "lacks a", "not a", "name a");
  });

  test("R8 F1 namespaces by label come and go", async () => {
    const other = await newNamespace(api);
    const inOther = `/api/v1/namespaces/${other}/configmaps`;
    const labels = { primary: "yes" };
    await api.create(inOther, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "far", labels } });
    await primary("near");
    await start([controller("maps")]);
    expect(await ran("maps near")).toEqual(["maps near"]);
    await select(other, true);
    expect(await ran("maps far")).toEqual(["maps far"]);
    await api.patch(`${inOther}/far`, { data: { x: "1" } });
    expect(await ran("maps far")).toEqual(["maps far"]);
    await select(other, false);
    expect(await ran("maps far"), "to be released").toEqual(["maps far"]);
    await eventually(
      "its watch ends",
      LIMIT_MS,
      () => !relay.status().watches.some((each) => each.namespace === other),
    );
    await api.patch(`${inOther}/far`, { data: { x: "2" } });
    await api.patch(path("configmaps", "near"), { data: { x: "1" } });
    expect(await ran("maps near")).toEqual(["maps near"]);
  });
});
