import { systemClock } from "../../../adapters/runtime/system-clock.ts";
import type { RbacRule } from "../../../functions/contract/index.ts";
import { createGatewayTransport } from "../../../functions/kube/gateway-transport.ts";
import { CONTROLLERS, isTheKubeClient } from "../kube-client.case.ts";
import { newNamespace, sharedCluster } from "../support/cluster.ts";
import { allowEverywhere, allowImpersonation, connectAs, createAccount, untilAllowed } from "./accounts.ts";
import { SECRET, serveGateway } from "./served-gateway.ts";

const cluster = sharedCluster();
const { api } = cluster;

const VERBS = ["get", "list", "create", "patch", "delete"];
const RULES: readonly RbacRule[] = [
  { apiGroups: [""], resources: ["configmaps", "secrets", "namespaces"], verbs: VERBS },
  { apiGroups: ["kube-client.sluice.test"], resources: ["papers"], verbs: VERBS },
  { apiGroups: ["kube-client.sluice.test"], resources: ["papers/status"], verbs: ["patch"] },
];

// Signed requests to the relay's gateway, done as the functions' account, which may do no more than these rules say.
isTheKubeClient(api, async () => {
  const relay = await createAccount(api, { namespace: await newNamespace(api), name: "relay" });
  const functions = await createAccount(api, { namespace: await newNamespace(api), name: "functions" });
  await allowEverywhere(api, functions, RULES);
  await allowImpersonation(api, relay, [functions]);
  await untilAllowed(api, functions, { verb: "delete", resource: "configmaps" });
  await untilAllowed(api, relay, { verb: "impersonate", resource: "serviceaccounts", ...functions });
  const transport = await connectAs(cluster, relay);
  const gateway = await serveGateway({ transport, serviceAccount: functions });
  gateway.declare(Object.fromEntries(CONTROLLERS.map((controller) => [controller, RULES])));
  const of = { url: gateway.url, cluster: "home", secrets: [SECRET], clock: systemClock };
  return {
    transportOf: (controller) => createGatewayTransport({ ...of, controller }),
    async close() {
      await gateway.close();
      await transport.close();
    },
  };
});
