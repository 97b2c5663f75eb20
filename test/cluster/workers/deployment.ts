import type { Deployment } from "../loop/deployment.ts";
import { openRelay } from "../loop/open-relay.ts";
import type { KubeApi } from "../support/kube-api.ts";
import { WorkerUnderTest } from "./worker-under-test.ts";

/** The functions as a Worker, which waits for a relay. */
export async function deployOnWorkers(api: KubeApi): Promise<Deployment> {
  const worker = await WorkerUnderTest.prepare(api);
  await worker.start();
  return worker;
}

/** The same with a relay that brings it triggers, and whose gateway is its way to the API server. */
export async function deployWithRelay(cluster: { api: KubeApi; kubeconfig: string }): Promise<Deployment> {
  const worker = await WorkerUnderTest.prepare(cluster.api);
  await worker.start();
  const { url: ingress, gateway, recorder } = worker;
  const relay = await openRelay({ kubeconfig: cluster.kubeconfig, ingress, gateway });
  await relay.synced;
  return {
    ...{ recorder, url: ingress, gateway },
    held: (key) => worker.held(key),
    recordOf: (key) => worker.recordOf(key),
    async remove() {
      await relay.stop();
      await worker.remove();
    },
  };
}
