import { join } from "node:path";
import type { Controller } from "sluice";
import { controllerManifestOf } from "../../../functions/controller/manifest.ts";
import { allowEverywhere, createAccount } from "../gateway/accounts.ts";
import { newNamespace } from "../support/cluster.ts";
import { freePorts } from "../support/free-ports.ts";
import type { KubeApi } from "../support/kube-api.ts";
import { type ProcessUnderTest, spawnProcess } from "../support/process-under-test.ts";
import { LIMIT_MS, SECRET } from "./deployment.ts";

/** `sluice relay` with a gateway, before functions that listen at a port which is known beforehand. */
export type GatewayRelay = {
  url: string;
  ingressPort: number;
  /** Starts it, the first time, and waits until its watches are synced. */
  synced(): Promise<void>;
  /** @throws Error where it does not end in order. */
  stop(): Promise<void>;
};

/** The functions' account may do what these controllers declare, and nothing else. */
export async function gatewayRelay(
  { api, kubeconfig }: { api: KubeApi; kubeconfig: string },
  controllers: readonly Controller[],
): Promise<GatewayRelay> {
  const account = await createAccount(api, { namespace: await newNamespace(api), name: "functions" });
  await allowEverywhere(
    api,
    account,
    controllers.flatMap((controller) => controllerManifestOf(controller).rbac),
  );
  const [port = 0, ingressPort = 0] = await freePorts(2);
  let relay: ProcessUnderTest | undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    ingressPort,
    async synced() {
      const of = { "--kubeconfig": kubeconfig, "--cluster": "home", "--ingress": `http://127.0.0.1:${ingressPort}` };
      const gateway = { "--gateway-port": port, "--service-account": `${account.namespace}/${account.name}` };
      relay ??= spawnProcess({
        script: join(import.meta.dirname, "../../../infra/cli/main.ts"),
        args: [
          "relay",
          ...Object.entries({ ...of, ...gateway })
            .flat()
            .map(String),
        ],
        env: { SLUICE_SECRET: SECRET },
      });
      await relay.printed("ready", { timeoutMs: LIMIT_MS });
    },
    async stop() {
      const exit = await relay?.terminate();
      if (exit && exit.code !== 0) throw new Error(`the relay ended with ${exit.code ?? exit.signal}`);
    },
  };
}
