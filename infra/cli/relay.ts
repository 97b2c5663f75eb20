import { createJsonLogger } from "../../adapters/runtime/json-logger.ts";
import {
  connectKube,
  credentialSource,
  kubeConfigSource,
  podNamespace,
} from "../../adapters/runtime/node/kube-config/index.ts";
import { type Listener, listenOn } from "../../adapters/runtime/node/listen.ts";
import { firstSignal } from "../../adapters/runtime/node/signals.ts";
import { systemClock } from "../../adapters/runtime/system-clock.ts";
import type { Gateway } from "../relay/gateway/gateway.ts";
import { runRelay } from "../relay/main.ts";
import { type RelayFlags, relaySettings } from "../relay/options.ts";
import { STOP_GRACE_MS } from "../relay/relay.ts";

/**
 * A relay as a process of its own; prints `ready` when its watches are synced. Secrets come from the environment only: a
 * command line is open to everybody on the machine.
 * @throws TypeError naming the setting that is wrong; Error where the gateway's port is taken.
 */
export async function relay({ kubeconfig, ...flags }: RelayFlags & { kubeconfig?: string }): Promise<void> {
  const SLUICE_NAMESPACE = process.env.SLUICE_NAMESPACE ?? (await podNamespace());
  const settings = relaySettings(flags, { ...process.env, SLUICE_NAMESPACE });
  const logger = createJsonLogger({
    level: "info",
    write: (line) => process.stderr.write(`${line}\n`),
    secrets: settings.secrets,
  });
  const source = kubeconfig ? kubeConfigSource(kubeconfig) : credentialSource(process.env);
  const transport = await connectKube(source, { logger });
  const running = runRelay({ ...settings, transport, clock: systemClock, logger });
  let door: Door | undefined;
  try {
    const { gateway } = running;
    if (gateway && settings.gateway) {
      door = { gateway, listener: await listenOn(gateway.fetch, settings.gateway) };
      logger.info("the gateway listens", { url: door.listener.url });
    }
    void running.synced.then(() => console.log("ready"));
    await firstSignal();
  } finally {
    await Promise.all([running.stop(), door && drain(door)]);
    await transport.close();
  }
}

type Door = { gateway: Gateway; listener: Listener };

/** Lets requests that are under way end within the relay's grace, then ends them. */
async function drain({ gateway, listener }: Door): Promise<void> {
  const cancel = systemClock.setTimer(STOP_GRACE_MS, gateway.stop);
  await listener.close();
  cancel();
}
