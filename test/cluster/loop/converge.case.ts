import { expect, test } from "vitest";
import { newNamespace } from "../support/cluster.ts";
import { consistently, eventually } from "../support/eventually.ts";
import type { KubeApi } from "../support/kube-api.ts";
import { type Deployment, LIMIT_MS, runsOf, widgetsOf } from "./deployment.ts";
import { deploymentUnderTest } from "./deployment-under-test.ts";
import { FINALIZER } from "./widgets.ts";

/** What of a deployment is looked at here. */
type Deployed = Pick<Deployment, "recorder" | "remove">;

/** The life of an object, whichever way its controller reaches the API server. */
export function converges(api: KubeApi, deployed: () => Promise<Deployed>): void {
  const under = deploymentUnderTest(api, deployed);
  const { kubectl, runs } = under;

  test("a created object converges in one run: finalizer, child, status", async () => {
    await kubectl().create("created", { text: "one" });
    const { widget, map } = await kubectl().ready("created", "one");
    expect(widget.metadata.finalizers).toEqual([FINALIZER]);
    expect(map.metadata.ownerReferences).toMatchObject([{ kind: "Widget", name: "created", controller: true }]);
    expect(map.metadata.managedFields).toMatchObject([{ manager: "widgets", operation: "Apply" }]);
    await consistently("one run is enough", 500, () => runs("created").length === 1);
  });

  test("R13 an update of the spec is one run, and own writes cause none", async () => {
    await kubectl().create("updated", { text: "one" });
    const { map } = await kubectl().ready("updated", "one");
    // managedFields have whole seconds: a second own write within one cannot be told from a stranger's.
    const written = Date.parse(map.metadata.managedFields![0]!.time!);
    await eventually("the next second", LIMIT_MS, () => Date.now() >= written + 1_000);
    await kubectl().patch("updated", { text: "two" });
    await kubectl().ready("updated", "two");
    await consistently("a run a change", 500, () => runs("updated").length === 2);
  });

  test("a status that a stranger writes causes no run", async () => {
    await kubectl().create("status", { text: "one" });
    await kubectl().ready("status", "one");
    await api.patch(`${kubectl().widgets}/status/status`, { status: { phase: "Odd" } });
    await consistently("no run for a status", 500, () => runs("status").length === 1);
  });

  test("a deleted child comes back", async () => {
    await kubectl().create("deleted-child", { text: "one" });
    const { map } = await kubectl().ready("deleted-child", "one");
    await api.delete(`${kubectl().configMaps}/deleted-child`);
    await eventually("the child is back", LIMIT_MS, async () => {
      const now = await api.find(`${kubectl().configMaps}/deleted-child`);
      return now && now.metadata.uid !== map.metadata.uid;
    });
  });

  test("a child that a stranger changed is put right", async () => {
    await kubectl().create("changed-child", { text: "one" });
    await kubectl().ready("changed-child", "one");
    await api.patch(`${kubectl().configMaps}/changed-child`, { data: { text: "drifted" } });
    await kubectl().ready("changed-child", "one");
  });

  test("F3 a deleted object is cleaned up, then released, and its child is collected", async () => {
    await kubectl().create("deleted", { text: "one" });
    await kubectl().ready("deleted", "one");
    await kubectl().delete("deleted");
    await kubectl().gone("deleted");
    expect(runs("deleted").map(({ what }) => what)).toEqual(["reconcile", "cleanup"]);
    await eventually(
      "the child is collected",
      60_000,
      async () => !(await api.find(`${kubectl().configMaps}/deleted`)),
    );
  });

  test("F3 a cleanup that is not finished keeps the finalizer, and is no failure", async () => {
    await kubectl().create("slow-cleanup", { text: "one", cleanups: 3 });
    await kubectl().ready("slow-cleanup", "one");
    await kubectl().delete("slow-cleanup");
    await kubectl().gone("slow-cleanup");
    const cleanups = runs("slow-cleanup").filter(({ what }) => what === "cleanup");
    expect(cleanups.map(({ attempt }) => attempt)).toEqual([0, 0, 0]);
  });

  test("a Secret that appears wakes the object that names it, and no other", async () => {
    await kubectl().create("waiting", { text: "one", secretName: "later" });
    await kubectl().create("bystander", { text: "one", secretName: "never" });
    for (const name of ["waiting", "bystander"])
      await eventually(`${name} waits`, LIMIT_MS, async () => (await kubectl().get(name)).status?.phase === "Waiting");
    await api.create(kubectl().secrets, { apiVersion: "v1", kind: "Secret", metadata: { name: "later" } });
    await kubectl().ready("waiting", "one");
    expect(runs("bystander")).toHaveLength(1);
  });

  test("a requeue comes on its time", async () => {
    await kubectl().create("polled", { text: "one", requeueMs: 1_500 });
    await eventually("it ran three times", LIMIT_MS, () => runs("polled").length >= 3);
    const [first, second, third] = runs("polled").map(({ at }) => at);
    for (const pause of [second! - first!, third! - second!]) expect(pause).toBeGreaterThanOrEqual(1_500);
  });

  test("a namespace that is deleted with objects in it goes, and every object was cleaned up", async () => {
    const doomed = await newNamespace(api);
    const names = ["a", "b", "c"];
    for (const name of names) await widgetsOf(api, doomed).create(name, { text: "one" });
    for (const name of names) await widgetsOf(api, doomed).ready(name, "one");
    await api.delete(`/api/v1/namespaces/${doomed}`);
    await eventually("the namespace is gone", 60_000, async () => !(await api.find(`/api/v1/namespaces/${doomed}`)));
    for (const name of names)
      expect(runsOf(under.deployment, doomed, name).map(({ what }) => what)).toContain("cleanup");
  });
}
