import { createJsonLogger } from "../../../adapters/runtime/json-logger.ts";
import { connectKube, credentialSource } from "../../../adapters/runtime/node/kube-config/index.ts";
import { listenOn } from "../../../adapters/runtime/node/listen.ts";
import { systemClock } from "../../../adapters/runtime/system-clock.ts";
import type { Steps } from "../../../functions/ports/index.ts";
import { runRelay } from "../../../infra/relay/main.ts";
import type { Relay } from "../../../infra/relay/relay.ts";
import { type GatewayDoor, SECRET } from "./deployment.ts";

export type RelayOptions = { kubeconfig: string; ingress: string; gateway?: GatewayDoor; steps?: Steps };

/** A relay apart from its functions, with a gateway where they need one. `stop` lets go of everything that it holds. */
export async function openRelay({ kubeconfig, ingress, gateway, steps }: RelayOptions): Promise<Relay> {
  const transport = await connectKube(credentialSource({ KUBECONFIG: kubeconfig }));
  const relay = runRelay({
    cluster: "home",
    ingress: new URL(ingress),
    secrets: [SECRET],
    transport,
    clock: systemClock,
    logger: createJsonLogger({ level: "error", write: (line) => process.stderr.write(`${line}\n`) }),
    ...(gateway && { gateway }),
    ...(steps && { steps }),
  });
  const served = relay.gateway && (await listenOn(relay.gateway.fetch, { port: gateway!.port, host: "127.0.0.1" }));
  return {
    ...relay,
    async stop() {
      await relay.stop();
      relay.gateway?.stop();
      served?.cut();
      await served?.close();
      await transport.close();
    },
  };
}
