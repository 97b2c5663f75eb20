import { converges } from "../loop/converge.case.ts";
import { sharedCluster } from "../support/cluster.ts";
import { Workers } from "./workers.ts";

// The Worker in workerd, which reaches the API server through the relay's gateway.
const { api, kubeconfig } = sharedCluster();

converges(api, async () => {
  const workers = await Workers.prepare({ api, kubeconfig });
  await workers.startWorker();
  await workers.startRelay();
  return workers;
});
