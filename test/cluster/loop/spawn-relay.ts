import { join } from "node:path";
import { type ProcessUnderTest, spawnProcess } from "../support/process-under-test.ts";
import { type GatewayDoor, SECRET } from "./deployment.ts";

/** The command `sluice relay`, with a gateway where its functions need one. Prints `ready` once its watches are synced. */
export function spawnRelay(options: {
  kubeconfig: string;
  ingress: string;
  gateway?: GatewayDoor | undefined;
  secret?: string;
  /** More of the command line. */
  flags?: readonly string[];
}): ProcessUnderTest {
  const { kubeconfig, ingress, gateway, secret = SECRET, flags = [] } = options;
  const account = gateway && `${gateway.serviceAccount.namespace}/${gateway.serviceAccount.name}`;
  return spawnProcess({
    script: join(import.meta.dirname, "../../../infra/cli/main.ts"),
    args: [
      ...["relay", "--kubeconfig", kubeconfig, "--cluster", "home", "--ingress", ingress],
      ...(gateway ? ["--gateway-port", String(gateway.port), "--service-account", account!] : []),
      ...flags,
    ],
    env: { SLUICE_SECRET: secret },
  });
}
