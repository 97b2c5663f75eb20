import { createJsonLogger } from "../../adapters/runtime/json-logger.ts";
import {
  connectKube,
  credentialSource,
  kubeConfigSource,
  podNamespace,
} from "../../adapters/runtime/node/kube-config/index.ts";
import { type Listener, listenOn } from "../../adapters/runtime/node/listen.ts";
import { stoppedBySignal } from "../../adapters/runtime/node/signals.ts";
import { systemClock } from "../../adapters/runtime/system-clock.ts";
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
  let listener: Listener | undefined;
  const { gateway } = running;
  const stop = async () => {
    // Requests that are under way end within the relay's grace, then they are ended.
    const late = Promise.withResolvers<void>();
    const cancel = systemClock.setTimer(2 * STOP_GRACE_MS, late.resolve);
    await Promise.race([Promise.all([running.stop(), listener?.close()]), late.promise]);
    cancel();
    gateway?.stop();
    listener?.cut();
    await transport.close();
  };
  try {
    if (gateway && settings.gateway) {
      listener = await listenOn(gateway.fetch, settings.gateway);
      logger.info("the gateway listens", { url: listener.url });
    }
  } catch (error) {
    await stop();
    throw error;
  }
  void running.synced.then(() => console.log("ready"));
  await stoppedBySignal(stop);
}
