import { controllerManifestOf } from "../../../functions/controller/manifest.ts";
import { allowEverywhere, createAccount } from "../gateway/accounts.ts";
import { newNamespace } from "../support/cluster.ts";
import { freePorts } from "../support/free-ports.ts";
import type { KubeApi } from "../support/kube-api.ts";
import type { GatewayDoor } from "./deployment.ts";
import { controllersOf, newRecorder } from "./widgets.ts";

/** Where functions without credentials and their relay find each other: both must be told beforehand. */
export type GatewayAccess = { door: GatewayDoor; gatewayUrl: string; ingressPort: number; ingressUrl: string };

/** The functions' account may do what the controllers under test declare, and nothing else. */
export async function gatewayAccess(api: KubeApi): Promise<GatewayAccess> {
  const serviceAccount = await createAccount(api, { namespace: await newNamespace(api), name: "functions" });
  const rules = controllersOf(newRecorder()).flatMap((controller) => controllerManifestOf(controller).rbac);
  await allowEverywhere(api, serviceAccount, rules);
  const [port = 0, ingressPort = 0] = await freePorts(2);
  return {
    door: { port, serviceAccount },
    gatewayUrl: `http://127.0.0.1:${port}`,
    ingressPort,
    ingressUrl: `http://127.0.0.1:${ingressPort}`,
  };
}
