import { sharedCluster } from "../support/cluster.ts";
import { converges } from "./converge.case.ts";
import { LIMIT_MS } from "./deployment.ts";
import { gatewayAccess } from "./gateway-access.ts";
import { deployOnNode } from "./node.ts";
import { spawnRelay } from "./spawn-relay.ts";

const { api, kubeconfig } = sharedCluster();

// On Node, too, functions may be without credentials of the cluster.
converges(api, async () => {
  const functions = await deployOnNode({ access: await gatewayAccess(api) });
  const { recorder, url: ingress, gateway } = functions;
  const relay = spawnRelay({ kubeconfig, ingress, gateway });
  await relay.printed("ready", { timeoutMs: LIMIT_MS });
  return {
    recorder,
    async remove() {
      const { code, signal } = await relay.terminate();
      await functions.remove();
      if (code !== 0) throw new Error(`the relay ended with ${code ?? signal}`);
    },
  };
});
