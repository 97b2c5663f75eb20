import { crdOf } from "sluice";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { applyCrd, newNamespace, sharedCluster } from "../support/cluster.ts";
import { consistently, eventually } from "../support/eventually.ts";
import { type Deployment, LIMIT_MS, widgetsOf } from "./deployment.ts";
import { deployOnNode } from "./node.ts";
import { type Replica, startReplica } from "./replica.ts";
import { Widget } from "./widgets.ts";

const { api, kubeconfig } = sharedCluster();
const NAMES = ["a", "b", "c", "d"];
const LEADS = /this relay leads"/;
/** As short as a busy machine allows. */
const TIMES = { "--lease-duration": "3s", "--renew-deadline": "2s", "--retry-period": "300ms" };
/** Longer than a test waits. */
const LONG = { "--lease-duration": "10m", "--renew-deadline": "9m", "--retry-period": "300ms" };
const NEXT_LEADER_MS = 20_000;

let namespace: string;
let deployment: Deployment;
let replicas: Replica[];

beforeAll(() => applyCrd(api, crdOf(Widget)));
beforeEach(async () => {
  namespace = await newNamespace(api);
  deployment = await deployOnNode({ kubeconfig, relay: "apart" });
  replicas = [];
});
afterEach(async () => {
  for (const replica of replicas) await replica[Symbol.asyncDispose]();
  expect(deployment.recorder.overlaps).toEqual([]);
  await deployment.remove();
  await api.delete(`/api/v1/namespaces/${namespace}`);
});
afterAll(() => api.close());

const kubectl = () => widgetsOf(api, namespace);
const lease = () => api.get(`/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/sluice-relay`);
const holder = async () => (await lease()).spec.holderIdentity as string | undefined;

/** One that leads and one that stands by. */
async function two(times: Record<string, string>): Promise<[leader: Replica, standby: Replica]> {
  const start = async () => {
    const flags = { "--lease-namespace": namespace, ...times };
    const replica = await startReplica(deployment.url, { kubeconfig, flags });
    replicas.push(replica);
    return replica;
  };
  const leader = await start();
  await leader.process.complained(LEADS, { timeoutMs: LIMIT_MS });
  await leader.process.printed("ready", { timeoutMs: LIMIT_MS });
  const standby = await start();
  await standby.process.printed("ready", { timeoutMs: LIMIT_MS });
  return [leader, standby];
}

/** Changes the objects again and again until it is ended; then each has its last text. */
function changing() {
  const texts = new Map<string, string>();
  let ended = false;
  const work = (async () => {
    for (let round = 1; !ended; round++)
      for (const name of NAMES) {
        const text = `round ${round}`;
        await kubectl().patch(name, { text });
        texts.set(name, text);
      }
  })();
  return {
    async end() {
      ended = true;
      await work;
      return texts;
    },
  };
}

async function converge(texts: ReadonlyMap<string, string>): Promise<void> {
  for (const [name, text] of texts) await kubectl().ready(name, text, 60_000);
}

async function createAll(): Promise<void> {
  for (const name of NAMES) await kubectl().create(name, { text: "round 0" });
  for (const name of NAMES) await kubectl().ready(name, "round 0", 60_000);
}

test("R10 the leader is killed with kill -9 while objects change: the other leads, and no trigger is lost", async () => {
  const [leader, standby] = await two(TIMES);
  await createAll();
  expect(standby.sent).toEqual([]);
  const changes = changing();
  await leader.process.kill9();
  await standby.process.complained(LEADS, { timeoutMs: NEXT_LEADER_MS });
  await converge(await changes.end());
  expect(standby.sent).toContain("POST /wake");
});

test("R10 the leader is stopped beyond its lease and goes on while objects change: it stands by", async () => {
  const [leader, standby] = await two(TIMES);
  await createAll();
  const changes = changing();
  leader.stop();
  await standby.process.complained(LEADS, { timeoutMs: NEXT_LEADER_MS });
  const next = await holder();
  leader.sent.splice(0);
  leader.goOn();
  await leader.process.complained(/this relay leads no longer/, { timeoutMs: LIMIT_MS });
  await consistently("the lead stays where it is", 5_000, async () => (await holder()) === next);
  await converge(await changes.end());
  // What was signed, or on its way, when it was stopped.
  expect(leader.sent.length).toBeLessThanOrEqual(1);
  await standby.process.kill9();
  await eventually("it leads again", NEXT_LEADER_MS, async () => (await holder()) !== next);
  await kubectl().patch("a", { text: "last" });
  await converge(new Map([["a", "last"]]));
});

test("R10 SIGTERM hands over at once: what is pending is delivered and saved, then the Lease is given up", async () => {
  const [leader, standby] = await two(LONG);
  await createAll();
  const changes = changing();
  const before = await lease();
  expect(await leader.process.terminate()).toEqual({ code: 0, signal: null });
  await standby.process.complained(LEADS, { timeoutMs: NEXT_LEADER_MS });
  await converge(await changes.end());
  expect(leader.sent.at(-1)).toMatch(/^PUT \/checkpoint\/home\/index/);
  const { metadata, spec } = await lease();
  expect(spec).toMatchObject({ leaseTransitions: before.spec.leaseTransitions + 1, leaseDurationSeconds: 600 });
  expect(spec.holderIdentity).not.toBe(before.spec.holderIdentity);
  expect(metadata.uid).toBe(before.metadata.uid);
});
