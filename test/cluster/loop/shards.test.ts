import { crdOf } from "sluice";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { applyCrd, newNamespace, sharedCluster } from "../support/cluster.ts";
import { eventually } from "../support/eventually.ts";
import { type Deployment, LIMIT_MS, runsOf, widgetsOf } from "./deployment.ts";
import { deployOnNode } from "./node.ts";
import { type Replica, startReplica } from "./replica.ts";
import { Widget } from "./widgets.ts";

const { api, kubeconfig } = sharedCluster();
let namespace: string;
let other: string;
let deployment: Deployment;
let relays: Replica[];

beforeAll(() => applyCrd(api, crdOf(Widget)));
beforeEach(async () => {
  namespace = await newNamespace(api);
  other = await newNamespace(api);
  deployment = await deployOnNode({ kubeconfig, relay: "apart" });
  relays = [];
});
afterEach(async () => {
  for (const relay of relays) await relay[Symbol.asyncDispose]();
  expect(deployment.recorder.overlaps).toEqual([]);
  await deployment.remove();
  for (const name of [namespace, other]) await api.delete(`/api/v1/namespaces/${name}`);
});
afterAll(() => api.close());

async function start(...parts: Record<string, string>[]): Promise<Replica[]> {
  for (const part of parts) {
    const flags = { "--lease-namespace": namespace, ...part };
    relays.push(await startReplica(deployment.url, { kubeconfig, flags }));
  }
  for (const { process } of relays) await process.printed("ready", { timeoutMs: LIMIT_MS });
  for (const { process } of relays) await process.complained(/this relay leads"/, { timeoutMs: LIMIT_MS });
  return relays;
}

const triggers = ({ sent }: Replica) => sent.filter((what) => what === "POST /triggers").length;

test("R10 an object that changes its part of the cluster is told of by both relays, and from then on by the new one", async () => {
  const kubectl = widgetsOf(api, namespace);
  const label = (team: string) => api.patch(`${kubectl.widgets}/moving`, { metadata: { labels: { team } } });
  const [a, b] = await start({ "--watch-selector": "team=a" }, { "--watch-selector": "team=b" });
  await kubectl.create("moving", { text: "one" });
  await label("a");
  await kubectl.ready("moving", "one");
  expect(triggers(b!)).toBe(0);
  const runs = () => runsOf(deployment, namespace, "moving").length;
  const [runsBefore, toldByA] = [runs(), triggers(a!)];
  await label("b");
  await eventually("both told", LIMIT_MS, () => triggers(a!) > toldByA && triggers(b!) > 0);
  await eventually("it ran", LIMIT_MS, () => runs() > runsBefore);
  const before = triggers(a!);
  await kubectl.patch("moving", { text: "two" });
  await kubectl.ready("moving", "two");
  expect(triggers(a!)).toBe(before);
  const { items } = await api.get(`/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`);
  expect(items.map((lease: { metadata: { name: string } }) => lease.metadata.name).sort()).toEqual([
    expect.stringMatching(/^sluice-relay-team-a-/),
    expect.stringMatching(/^sluice-relay-team-b-/),
  ]);
});

test("R10 relays for namespaces of their own tell of what is there", async () => {
  const [one, two] = await start({ "--watch-namespaces": namespace }, { "--watch-namespaces": other });
  await widgetsOf(api, namespace).create("here", { text: "one" });
  await widgetsOf(api, namespace).ready("here", "one");
  expect([triggers(one!) > 0, triggers(two!)]).toEqual([true, 0]);
  await widgetsOf(api, other).create("there", { text: "one" });
  await widgetsOf(api, other).ready("there", "one");
  expect(triggers(two!)).toBeGreaterThan(0);
});
