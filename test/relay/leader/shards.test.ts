import { describe, expect, it } from "vitest";
import { shardOf } from "../../../infra/relay/plan/shard.ts";
import { MAPS, owning, replicas } from "./replicas.ts";

const teamA = shardOf({ selector: "team=a" })!;
const teamB = shardOf({ selector: "team=b" })!;
const others = shardOf({ selector: "team notin (a,b)" })!;

const map = (name: string, team?: string, namespace = "default") => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace, ...(team !== undefined && { labels: { team } }) },
});

/** Three relays that share a cluster by label, each with its replica's Lease. */
async function byTeam() {
  const cluster = replicas({ manifest: owning });
  for (const [name, team] of [
    ["x", "a"],
    ["y", "b"],
    ["z", undefined],
  ] as const)
    await cluster.kubectl.create(MAPS, map(name, team));
  const relays = { a: cluster.start("a", teamA), b: cluster.start("b", teamB), c: cluster.start("c", others) };
  await cluster.pass(12_000);
  return { ...cluster, relays };
}

describe("R10 relays that share a cluster by label", () => {
  it("all lead, each with its own Lease, and deliver their own objects", async () => {
    const { take, relays, kubectl } = await byTeam();
    expect(take().sort()).toEqual(["x by a", "y by b", "z by c"]);
    for (const relay of Object.values(relays)) expect(relay.relay.status().leader.leads).toBe(true);
    const lease = await kubectl.get(`/apis/coordination.k8s.io/v1/namespaces/default/leases/${teamA.name}`);
    expect(lease).toHaveProperty("spec.holderIdentity", "a");
  });

  it("lose no trigger of an object that changes its part: the one tells that it went, the other that it came", async () => {
    const { take, kubectl, pass } = await byTeam();
    take();
    await kubectl.merge(`${MAPS}/x`, { metadata: { labels: { team: "b" } } });
    await pass(1_000);
    expect(take().sort()).toEqual(["x by a", "x by b"]);
    await kubectl.merge(`${MAPS}/x`, { data: { value: "2" } });
    await pass(1_000);
    expect(take()).toEqual(["x by b"]);
    await kubectl.merge(`${MAPS}/x`, { metadata: { labels: null } });
    await pass(1_000);
    expect(take().sort()).toEqual(["x by b", "x by c"]);
  });

  it("tell of what is related to their own primaries only", async () => {
    const { take, kubectl, pass } = await byTeam();
    take();
    const owner = await kubectl.get(`${MAPS}/y`);
    const { uid } = owner!.metadata as { uid?: string };
    await kubectl.create("/api/v1/namespaces/default/secrets", {
      apiVersion: "v1",
      kind: "Secret",
      metadata: {
        name: "child",
        ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "y", uid, controller: true }],
      },
    });
    await pass(1_000);
    expect(take()).toEqual(["y by b"]);
  });

  it("R7 have checkpoints of their own: whoever comes after one of them delivers nothing", async () => {
    const { take, relays, start, pass } = await byTeam();
    take();
    for (const { relay } of Object.values(relays)) {
      const stopped = relay.stop();
      await pass(100);
      await stopped;
    }
    for (const [identity, shard] of [
      ["a2", teamA],
      ["b2", teamB],
      ["c2", others],
    ] as const)
      start(identity, shard);
    await pass(20_000);
    expect(take()).toEqual([]);
  });
});

it("R10 relays that share a cluster by namespace deliver what is in theirs", async () => {
  const { kubectl, start, pass, take } = replicas();
  for (const name of ["one", "two"])
    await kubectl.create("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  const one = start("a", shardOf({ namespaces: ["one", "default"] }));
  start("b", shardOf({ namespaces: ["two"] }));
  await pass(12_000);
  for (const namespace of ["one", "two", "default"])
    await kubectl.create(`/api/v1/namespaces/${namespace}/configmaps`, map(namespace, undefined, namespace));
  await pass(1_000);
  expect(take().sort()).toEqual(["default by a", "one by a", "two by b"]);
  expect(one.relay.status().watches.map(({ namespace }) => namespace)).toEqual(["default", "one"]);
});
