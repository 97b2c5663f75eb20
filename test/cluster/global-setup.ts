import type { TestProject } from "vitest/node";
import { buildControlPlane } from "./control-plane/build.ts";
import type { ClusterAccess } from "./control-plane/kubeconfig.ts";
import { type ControlPlane, startControlPlane } from "./control-plane/start.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The control plane that all files share. */
    cluster: ClusterAccess;
    /** The folder of binaries, for a file that starts one of its own. */
    controlPlaneBinaries: string;
  }
}

let plane: ControlPlane | undefined;

/** One control plane for the whole run. A test that restarts its API server starts its own instead. */
export async function setup(project: TestProject): Promise<void> {
  const bin = buildControlPlane();
  const startedAt = performance.now();
  plane = await startControlPlane({ bin });
  console.log(`control plane: ready in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  const { server, ca, token, kubeconfig, certificateKubeconfig } = plane;
  process.env.KUBECONFIG = kubeconfig;
  project.provide("cluster", { server, ca, token, kubeconfig, certificateKubeconfig });
  project.provide("controlPlaneBinaries", bin);
}

export async function teardown(): Promise<void> {
  await plane?.stop();
}
