import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { ControlPlane } from "./control-plane/start.ts";
import { newNamespace, ownControlPlane, sharedCluster } from "./support/cluster.ts";
import { eventually } from "./support/eventually.ts";
import { KubeStatusError } from "./support/kube-api.ts";
import { spawnProcess } from "./support/process-under-test.ts";

describe("the control plane that the run shares", () => {
  const { api, kubeconfig } = sharedCluster();
  afterAll(() => api.close());

  it("is named by KUBECONFIG in every test process", () => {
    expect(process.env.KUBECONFIG).toBe(kubeconfig);
  });

  it("deletes a namespace with what is in it", async () => {
    const namespace = await newNamespace(api);
    await api.create(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: "a" } });
    await api.delete(`/api/v1/namespaces/${namespace}`);
    await eventually("the namespace is gone", 30_000, async () => !(await api.find(`/api/v1/namespaces/${namespace}`)));
  });
});

describe("a control plane of one's own", () => {
  let plane: ControlPlane;
  beforeAll(async () => {
    plane = await ownControlPlane({ extraTokens: ['reader-token,reader,reader,"readers"'] });
  });
  afterAll(() => plane?.stop());

  const configMaps = "/api/v1/namespaces/default/configmaps";
  const statusOf = (answer: Promise<unknown>) =>
    answer.then(
      () => 200,
      (error: unknown) => (error instanceof KubeStatusError ? error.status : error),
    );

  it("keeps its objects and its address over a restart and a kill of the API server", async () => {
    const { metadata } = await plane.api.create(configMaps, { metadata: { name: "kept" } });
    await plane.killApiServer();
    await expect(plane.api.get(configMaps)).rejects.toThrow("fetch failed");
    await plane.startApiServer();
    await plane.restartApiServer();
    expect((await plane.api.get(`${configMaps}/kept`)).metadata.uid).toBe(metadata.uid);
  });

  it("answers 410 to every version and page token from before its history expired", async () => {
    for (const name of ["one", "two", "three"]) await plane.api.create(configMaps, { metadata: { name } });
    const page = await plane.api.get(`${configMaps}?limit=1`);
    await plane.api.create(configMaps, { metadata: { name: "four" } });
    await plane.expireHistory();
    const watch = `${configMaps}?watch=1&timeoutSeconds=1&resourceVersion=${page.metadata.resourceVersion}`;
    expect(await plane.api.request("GET", watch)).toMatchObject({ type: "ERROR", object: { code: 410 } });
    const { continue: token } = page.metadata as unknown as { continue: string };
    const next = `${configMaps}?limit=1&continue=${token}`;
    expect(await statusOf(plane.api.get(next))).toBe(410);
  });
});

it("neither servers nor files outlive the process that started them, not even by kill -9", async () => {
  const owner = spawnProcess({
    script: join(import.meta.dirname, "control-plane/run.ts"),
    args: [inject("controlPlaneBinaries")],
  });
  const line = await owner.printed(/^export KUBECONFIG=/, { timeoutMs: 60_000 });
  const kubeconfig = line.slice(line.indexOf("=") + 1);
  const pids = (await owner.printed(/^pids .*/, { timeoutMs: 60_000 })).split(" ").slice(1).map(Number);
  expect([existsSync(kubeconfig), ...pids.map(isRunning)]).toEqual([true, true, true, true]);
  await owner.kill9();
  await eventually("the servers are gone", 10_000, () => pids.every((pid) => !isRunning(pid)));
  await eventually("their files are gone", 10_000, () => !existsSync(dirname(kubeconfig)));
});

function isRunning(pid: number): boolean {
  const state = execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8", stdio: "pipe" }).trim();
  return state !== "" && !state.startsWith("Z");
}
