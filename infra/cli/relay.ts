import { createJsonLogger } from "../../adapters/runtime/json-logger.ts";
import { connectKube, credentialSource, kubeConfigSource } from "../../adapters/runtime/node/kube-config/index.ts";
import { stoppedBySignal } from "../../adapters/runtime/node/signals.ts";
import { systemClock } from "../../adapters/runtime/system-clock.ts";
import { runRelay } from "../relay/main.ts";
import { relaySettings } from "../relay/options.ts";

/**
 * A relay as a process of its own; prints `ready` when its watches are synced. Secrets come from the environment only: a
 * command line is open to everybody on the machine.
 * @throws TypeError naming the setting that is wrong.
 */
export async function relay(flags: { kubeconfig?: string; ingress?: string; cluster?: string }): Promise<void> {
  const { kubeconfig, ingress, cluster } = flags;
  const settings = relaySettings({ ...(ingress && { ingress }), ...(cluster && { cluster }) }, process.env);
  const logger = createJsonLogger({
    level: "info",
    write: (line) => process.stderr.write(`${line}\n`),
    secrets: settings.secrets,
  });
  const source = kubeconfig ? kubeConfigSource(kubeconfig) : credentialSource(process.env);
  const transport = await connectKube(source, { logger });
  const running = runRelay({ ...settings, transport, clock: systemClock, logger });
  void running.synced.then(() => console.log("ready"));
  await stoppedBySignal(async () => {
    await running.stop();
    await transport.close();
  });
}
