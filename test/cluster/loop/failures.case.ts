import { expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import type { KubeApi } from "../support/kube-api.ts";
import { type Deployment, LIMIT_MS } from "./deployment.ts";
import { deploymentUnderTest } from "./deployment-under-test.ts";

/** What becomes of objects whose runs fail, and of those that are never at rest. */
export function backsOff(api: KubeApi, deployed: () => Promise<Deployment>): void {
  const under = deploymentUnderTest(api, deployed);
  const { kubectl, runs } = under;
  const keyOf = (controller: string, name: string) => ({
    cluster: "home",
    controller,
    namespace: under.namespace,
    name,
  });

  test("S6, S15 failures back off and are counted; a success resets both", async () => {
    await kubectl().create("failing", { text: "one", fails: true });
    await eventually("it failed five times", LIMIT_MS, () => runs("failing").length >= 5);
    const at = runs("failing").map((run) => run.at);
    expect(
      runs("failing")
        .map(({ attempt }) => attempt)
        .slice(0, 5),
    ).toEqual([0, 1, 2, 3, 4]);
    for (const [i, least] of [200, 400, 800, 1_600].entries())
      expect(at[i + 1]! - at[i]!).toBeGreaterThanOrEqual(least);

    const key = keyOf("widgets", "failing");
    const record = await eventually("its record tells what its entry does", LIMIT_MS, async () => {
      const held = under.deployment.held(key);
      const found = await under.deployment.recordOf(key);
      return found?.attempt === held?.attempt && found;
    });
    expect(record.attempt).toBeGreaterThanOrEqual(5);
    expect(record.lastError).toBe("fails as its spec says");

    await kubectl().patch("failing", { fails: false });
    await kubectl().ready("failing", "one");
    await eventually("it awaits change", LIMIT_MS, () => !under.deployment.held(key));
    expect(await under.deployment.recordOf(key)).toBeUndefined();
  });

  test("S13 an object recreated under its name starts without its predecessor's backoff, with a child of its own", async () => {
    await kubectl().create("recreated", { text: "one", fails: true, cleanups: 0 });
    await eventually("it failed often", LIMIT_MS, () => runs("recreated").length >= 4);
    const old = (await kubectl().get("recreated")).metadata.uid;
    await kubectl().delete("recreated");
    await kubectl().gone("recreated");
    const { metadata } = await kubectl().create("recreated", { text: "two" });
    const { map } = await kubectl().ready("recreated", "two");
    expect(metadata.uid).not.toBe(old);
    expect(map.metadata.ownerReferences).toMatchObject([{ uid: metadata.uid }]);
    const mine = runs("recreated").filter(({ uid }) => uid === metadata.uid);
    expect(mine[0]).toMatchObject({ attempt: 0 });
  });

  test("S19 a controller that changes its own child at every run is named and held to one run in 5 s", async () => {
    const maps = `/api/v1/namespaces/${under.namespace}/configmaps`;
    await api.create(maps, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "fighter", labels: { "test.sluice.dev/fighter": "yes" } },
    });
    await eventually("it is over its budget", 60_000, () => runs("fighter").length >= 60);
    const last = runs("fighter").at(-1)!.at;
    await eventually("it runs on", LIMIT_MS, () => runs("fighter").at(-1)!.at > last + 9_000);
    const at = runs("fighter").map((run) => run.at);
    const pauses = at.slice(60).map((time, i) => time - at[59 + i]!);
    expect(pauses.length).toBeGreaterThanOrEqual(1);
    for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(4_900);
    await kubectl().create("beside", { text: "one" });
    await kubectl().ready("beside", "one"); // others are not held
    expect(under.deployment.held(keyOf("fighters", "fighter"))).toMatchObject({ overBudget: true });
    await api.delete(`${maps}/fighter`);
  });
}
