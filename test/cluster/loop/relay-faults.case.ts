import { crdOf } from "sluice";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Relay } from "../../../infra/relay/relay.ts";
import type { ControlPlane } from "../control-plane/start.ts";
import { applyCrd, newNamespace, ownControlPlane } from "../support/cluster.ts";
import { consistently, eventually } from "../support/eventually.ts";
import { type Deployment, LIMIT_MS, runsOf, widgetsOf } from "./deployment.ts";
import { openRelay } from "./open-relay.ts";
import { Widget } from "./widgets.ts";

/** What becomes of objects while their relay, or the API server that it watches, is away. */
export function outlivesFaults(deployed: (plane: ControlPlane) => Promise<Deployment>): void {
  /** A control plane of its own, to be restarted; the functions, and the relay apart from them. */
  let plane: ControlPlane;
  let namespace: string;
  let deployment: Deployment;
  let relay: Relay;

  beforeAll(async () => {
    plane = await ownControlPlane();
    await applyCrd(plane.api, crdOf(Widget));
    namespace = await newNamespace(plane.api);
    deployment = await deployed(plane);
  });
  // One a test: what an earlier fault has taught a relay to wait is forgotten only after two minutes of health.
  beforeEach(startRelay);
  afterEach(async () => {
    await relay?.stop();
    expect(deployment.recorder.overlaps).toEqual([]);
  });
  afterAll(async () => {
    await deployment?.remove();
    await plane?.stop();
  });

  async function startRelay(): Promise<void> {
    const { url: ingress, gateway } = deployment;
    relay = await openRelay({ kubeconfig: plane.kubeconfig, ingress, ...(gateway && { gateway }) });
    await relay.synced;
  }

  const kubectl = () => widgetsOf(plane.api, namespace);
  const relists = () => relay.status().watches.map((watch) => watch.relists);

  test("an object that is deleted while the relay is down is cleaned up when it is back", async () => {
    await kubectl().create("orphan", { text: "one" });
    await kubectl().ready("orphan", "one");
    await relay.stop();
    await kubectl().delete("orphan");
    await consistently(
      "nobody saw it",
      300,
      async () => (await kubectl().get("orphan")).metadata.finalizers?.length === 1,
    );
    await startRelay();
    await kubectl().gone("orphan");
  });

  test("what changed and appeared while the relay was down converges when it is back", async () => {
    await kubectl().create("changed", { text: "one" });
    await kubectl().ready("changed", "one");
    await relay.stop();
    await kubectl().patch("changed", { text: "two" });
    await kubectl().create("appeared", { text: "one" });
    await startRelay();
    await kubectl().ready("changed", "two");
    await kubectl().ready("appeared", "one");
  });

  test("R1 after a forced 410 the relay lists once and goes on", async () => {
    await kubectl().create("compacted", { text: "one" });
    await kubectl().ready("compacted", "one");
    const before = relists();
    await plane.stopApiServer();
    await plane.startApiServer();
    await plane.expireHistory();
    await kubectl().patch("compacted", { text: "two" });
    await kubectl().ready("compacted", "two", 90_000);
    await eventually("every watch is in order", 90_000, () => relay.status().ready);
    for (const [i, count] of relists().entries()) expect(count - before[i]!).toBeLessThanOrEqual(2);
  });

  test("R1 an API server that is killed and comes back is watched again", async () => {
    await kubectl().create("restarted", { text: "one" });
    await kubectl().ready("restarted", "one");
    await plane.killApiServer();
    await plane.startApiServer();
    await kubectl().patch("restarted", { text: "two" });
    await kubectl().ready("restarted", "two", 90_000);
  });

  test("F2 a version that is no longer served makes no key look gone", async () => {
    await kubectl().create("unserved", { text: "one", requeueMs: 500 });
    await kubectl().ready("unserved", "one");
    const crd = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.test.sluice.dev`;
    const [v1] = (await plane.api.get(crd)).spec.versions;
    const v2 = { ...v1, name: "v2", served: true, storage: false };
    await plane.api.patch(crd, { spec: { versions: [{ ...v1, served: false }, v2] } });
    const v2Widgets = `/apis/test.sluice.dev/v2/namespaces/${namespace}/widgets`;
    await eventually(
      "v2 is served, v1 is not",
      LIMIT_MS,
      async () => (await plane.api.find(v2Widgets)) && !(await plane.api.find(kubectl().widgets)),
    );
    const key = { cluster: "home", controller: "widgets", namespace, name: "unserved" };
    await eventually("its runs fail", LIMIT_MS, () => (deployment.held(key)?.attempt ?? 0) >= 2);
    expect((await plane.api.get(`${v2Widgets}/unserved`)).metadata.finalizers).toHaveLength(1);
    await plane.api.patch(crd, { spec: { versions: [{ ...v1, served: true }, v2] } });
    await eventually("v1 is served again", LIMIT_MS, () => plane.api.find(kubectl().widgets));
    await kubectl().patch("unserved", { text: "two" });
    await kubectl().ready("unserved", "two", 90_000);
    expect(runsOf(deployment, namespace, "unserved").some(({ what }) => what === "cleanup")).toBe(false);
  });
}
