import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { configMaps, secrets } from "../../relay/support/objects.ts";
import type { ControlPlane } from "../control-plane/start.ts";
import { newNamespace, ownControlPlane } from "../support/cluster.ts";
import { stopped } from "./bytes.ts";
import type { FaultProxy } from "./fault-proxy.ts";
import { FaultyRelay } from "./faulty-relay.ts";

/** A control plane of its own, to be killed, compacted and restored. */
let plane: ControlPlane;
let namespace: string;
let rig: FaultyRelay;

beforeAll(async () => {
  plane = await ownControlPlane();
});
afterAll(() => plane?.stop());
beforeEach(async () => {
  namespace = await newNamespace(plane.api);
});
afterEach(() => rig.stop());

const at = (plural: string) => `/api/v1/namespaces/${namespace}/${plural}`;
const create = (plural: string, name: string) => plane.api.create(at(plural), { metadata: { name } });
const label = (name: string, value: string) =>
  plane.api.patch(`${at("configmaps")}/${name}`, { metadata: { labels: { value } } });
const change = (name: string) => label(name, `${Math.round(performance.now())}`);

async function start(before?: (proxy: FaultProxy) => void): Promise<void> {
  const { api } = plane;
  const resources = [configMaps, secrets];
  rig = await FaultyRelay.start({ access: plane, api, namespace, resources, ...(before && { before }) });
}

test("R1 an API server that is killed in the middle of lists and watches costs each a list at most, and no change", async () => {
  for (const name of ["a", "b", "c"]) await create("configmaps", name);
  await create("secrets", "s");
  const page = stopped(/"items"/);
  const change = stopped(/MODIFIED/);
  await start((proxy) => {
    // ConfigMaps in pages of two, of which the second comes to its middle.
    const inPages = (asked: string) => asked.replace("sendInitialEvents=true&", "").replace("limit=500", "limit=2");
    proxy.lay({ on: /configmaps.*continue=/, bytes: page.bytes });
    proxy.lay({ on: /configmaps/, times: 1_000, ask: inPages });
    proxy.lay({ on: /secrets/, bytes: change.bytes });
  });
  await page.reached;
  await rig.hurried("Secrets are watched", () => rig.watch("secrets").state === "Watching");
  await plane.api.patch(`${at("secrets")}/s`, { metadata: { labels: { value: "1" } } });
  await change.reached;

  // The change is told by no one but the API server that comes back.
  await plane.killApiServer();
  rig.proxy.cut();
  await rig.hurried("both are in trouble", () => rig.watch("secrets").error && rig.watch("configmaps").error);
  await plane.startApiServer();
  await rig.recovered();
  // To the new one, the continue token of the one before has expired, and so may versions from before its start (seen on
  // 1.36). Each is listed once.
  expect(rig.relists("configmaps")).toEqual({ expired: 1 });
  expect([{}, { expired: 1 }]).toContainEqual(rig.relists("secrets"));

  await create("configmaps", "d");
  await plane.api.delete(`${at("secrets")}/s`);
  await rig.recovered();
  page.release();
  change.release();
});

test("R1 a streaming list in the middle of which the API server is killed begins anew", async () => {
  for (const name of ["a", "b"]) await create("configmaps", name);
  const hole = stopped(/ADDED/);
  await start((proxy) => proxy.lay({ on: /configmaps.*sendInitialEvents/, bytes: hole.bytes }));
  await hole.reached;
  await rig.hurried("Secrets are watched", () => rig.watch("secrets").state === "Watching");
  await plane.killApiServer();
  hole.release();
  await rig.hurried("it is in trouble", () => rig.watch("configmaps").error);
  await plane.startApiServer();
  await rig.recovered();
  expect(rig.relists("secrets")).toEqual({});
  const { unfinished = 0, ...rest } = rig.relists("configmaps");
  expect(rest).toEqual({});
  // One a try while it was down.
  expect(unfinished).toBeGreaterThan(0);
});

test("R1 versions that were compacted away are listed anew: once, and only what changed runs", async () => {
  for (const name of ["same", "changed", "vanished"]) await create("configmaps", name);
  await start();
  await rig.recovered();
  const before = new Map(rig.functions.runs);
  rig.proxy.part();
  await change("changed");
  await plane.api.delete(`${at("configmaps")}/vanished`);
  await create("configmaps", "new");
  await plane.expireHistory();
  rig.proxy.join();
  await rig.recovered();
  expect(rig.relists("configmaps")).toEqual({ expired: 1 });
  expect(rig.functions.ranSince(before)).toEqual(["changed", "new", "vanished"]);
  await change("same");
  await rig.recovered();
});

test("R7 what changed while the relay was down runs, though its versions were compacted away, and nothing else", async () => {
  for (const name of ["same", "recreated", "changed", "vanished"]) await create("configmaps", name);
  await start();
  await rig.recovered();
  const before = new Map(rig.functions.runs);
  await rig.restart(async () => {
    await plane.api.delete(`${at("configmaps")}/recreated`);
    await create("configmaps", "recreated");
    await change("changed");
    await plane.api.delete(`${at("configmaps")}/vanished`);
    await plane.expireHistory();
  });
  await rig.recovered();
  expect(rig.relists("configmaps")).toEqual({ expired: 1 });
  expect(rig.functions.ranSince(before)).toEqual(["changed", "recreated", "vanished"]);
});

/** More than an API server writes when it starts, so that the versions of one that is put back stay below what was seen. */
async function writeMuch(name: string): Promise<void> {
  for (let i = 0; i < 30; i++) await Promise.all(Array.from({ length: 10 }, (_, n) => label(name, `${i}-${n}`)));
}

test("R14 an etcd that is put back to an older state is taken as it is, and every key runs", async () => {
  for (const name of ["same", "changed", "deleted"]) await create("configmaps", name);
  await start();
  await rig.recovered();
  plane.saveStore();
  await create("configmaps", "created");
  await plane.api.delete(`${at("configmaps")}/deleted`);
  await writeMuch("changed");
  await rig.recovered();
  const before = new Map(rig.functions.runs);

  await plane.restoreStore();
  await rig.recovered(60_000);
  expect(rig.relists("configmaps")).toEqual({ restored: 1 });
  // Of Secrets nothing was seen that the older state does not hold.
  expect(rig.relists("secrets")).toEqual({});
  expect(rig.functions.ranSince(before)).toEqual(["changed", "created", "deleted", "same"]);
  await change("same");
  await create("configmaps", "later");
  await rig.recovered();
});

test("R14 R7 an etcd that is put back while the relay is down is taken as it is by the next one", async () => {
  for (const name of ["same", "changed"]) await create("configmaps", name);
  await start();
  await rig.recovered();
  plane.saveStore();
  await create("configmaps", "created");
  await writeMuch("changed");
  await rig.recovered();
  const before = new Map(rig.functions.runs);
  await rig.restart(() => plane.restoreStore());
  await rig.recovered(60_000);
  expect(rig.relists("configmaps")).toEqual({ restored: 1 });
  expect(rig.functions.ranSince(before)).toEqual(["changed", "created", "same"]);
});
