import { afterEach, beforeEach, expect, test } from "vitest";
import type { ResourceRef } from "../../../functions/contract/index.ts";
import { configMaps } from "../../relay/support/objects.ts";
import { applyCrd, newNamespace, sharedCluster } from "../support/cluster.ts";
import { eventually } from "../support/eventually.ts";
import { FaultyRelay } from "./faulty-relay.ts";

const { api, ...access } = sharedCluster();
let namespace: string;
let rig: FaultyRelay;

beforeEach(async () => {
  namespace = await newNamespace(api);
});
afterEach(() => rig.stop());

const things = (group: string): ResourceRef => ({
  ...{ group, version: "v1", kind: "Thing", plural: "things", scope: "Namespaced" },
});
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
const at = (group: string) => `/apis/${group}/v1/namespaces/${namespace}/things`;
const create = (group: string, name: string) =>
  api.create(at(group), { apiVersion: `${group}/v1`, kind: "Thing", metadata: { name } });

test("R1 a kind that is deleted and defined anew is watched again, and no object of it is missed", async () => {
  const group = `redefined-${process.pid}.sluice.test`;
  await applyCrd(api, crdOf(group));
  for (const name of ["same", "gone"]) await create(group, name);
  rig = await FaultyRelay.start({ access, api, namespace, resources: [things(group)], predicate: "generation" });
  await rig.recovered();

  const crd = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.${group}`;
  await api.delete(crd);
  await eventually("the kind is gone", 30_000, async () => !(await api.find(crd)));
  await rig.hurried("the 404 is shown", () => rig.watch("things").error?.includes("404"), 30_000);
  await rig.functions.expectUpToDate();

  await applyCrd(api, crdOf(group));
  for (const name of ["same", "new"]) await create(group, name);
  await rig.recovered(60_000);
  await api.delete(`${at(group)}/new`);
  await rig.recovered();
  expect(rig.watch("things").relists).toBeLessThanOrEqual(2);
});

test("R6 an object that was recreated under its name while nobody watched is told, by a resumed watch and by a list", async () => {
  const group = `recreated-${process.pid}.sluice.test`;
  await applyCrd(api, crdOf(group));
  await create(group, "a");
  rig = await FaultyRelay.start({ access, api, namespace, resources: [things(group)], predicate: "generation" });
  await rig.recovered();
  const recreate = async () => {
    const { generation } = (await api.get(`${at(group)}/a`)).metadata;
    await api.delete(`${at(group)}/a`);
    expect((await create(group, "a")).metadata.generation).toBe(generation);
  };

  rig.proxy.part();
  await recreate();
  rig.proxy.join();
  await rig.recovered();
  expect(rig.relists("things")).toEqual({});

  rig.proxy.part();
  await recreate();
  rig.proxy.lay({ on: /resourceVersion=\d/, answer: { status: 410, body: { kind: "Status", apiVersion: "v1" } } });
  rig.proxy.join();
  await rig.recovered();
  expect(rig.relists("things")).toEqual({ expired: 1 });
});

test("R7 an object that was recreated under its name and generation while the relay was down runs, and nothing else", async () => {
  const group = `restarted-${process.pid}.sluice.test`;
  await applyCrd(api, crdOf(group));
  for (const name of ["a", "same", "gone"]) await create(group, name);
  rig = await FaultyRelay.start({ access, api, namespace, resources: [things(group)], predicate: "generation" });
  await rig.recovered();
  const before = new Map(rig.functions.runs);
  await rig.restart(async () => {
    await api.delete(`${at(group)}/a`);
    await create(group, "a");
    await api.delete(`${at(group)}/gone`);
    await create(group, "new");
  });
  await rig.recovered();
  expect(rig.functions.ranSince(before)).toEqual(["a", "gone", "new"]);
  expect(rig.relists("things")).toEqual({});
});

test("S14 another store of the scheduler is told everything, without a list", async () => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  for (const name of ["a", "b", "c"]) await api.create(path, { metadata: { name } });
  rig = await FaultyRelay.start({ access, api, namespace, resources: [configMaps] });
  await rig.recovered();
  const before = new Map(rig.functions.runs);
  await rig.functions.replaceStore();
  await api.patch(`${path}/a`, { data: { x: "1" } });
  await rig.hurried("every key has run again", () =>
    [...before].every(([key, runs]) => rig.functions.runs.get(key)! > runs),
  );
  await rig.recovered();
  expect(rig.relists("configmaps")).toEqual({});
});
