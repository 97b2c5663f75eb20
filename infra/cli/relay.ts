import { hostname } from "node:os";
import { createJsonLogger } from "../../adapters/runtime/json-logger.ts";
import { hiding } from "../../adapters/runtime/node/kube-config/hiding.ts";
import { podNamespace } from "../../adapters/runtime/node/kube-config/in-cluster.ts";
import { credentialSource } from "../../adapters/runtime/node/kube-config/source.ts";
import type { Listener } from "../../adapters/runtime/node/listen.ts";
import { firstSignal, stoppedBySignal } from "../../adapters/runtime/node/signals.ts";
import { systemClock } from "../../adapters/runtime/system-clock.ts";
import { refuseOwnAccount } from "../relay/gateway/own-user.ts";
import { runRelay } from "../relay/main.ts";
import { createMetrics } from "../relay/metrics/metrics.ts";
import { type Flags, unknownVariables } from "../relay/option.ts";
import { relayOptions } from "../relay/option-table.ts";
import { relaySettings } from "../relay/options.ts";
import { STOP_GRACE_MS } from "../relay/relay.ts";
import { listenUnlessTaken, operationsOf } from "./operations.ts";
import { platform } from "./platform.ts";
import { followSecretFile, type SecretFile } from "./secret-file.ts";

/** How long after the signal the gateway serves at most. */
const SERVE_LIMIT_MS = 2 * STOP_GRACE_MS;

/**
 * A relay as a process of its own; prints `ready` when its watches are synced. Secrets come from the environment or a file: a
 * command line is open to everybody on the machine.
 * @param signal resolves when the process is to end.
 * @throws TypeError naming the setting that is wrong; Error where a port is taken that was asked for.
 */
export async function relay(flags: Flags, version: string, signal = firstSignal()): Promise<void> {
  const SLUICE_NAMESPACE = process.env.SLUICE_NAMESPACE || (await podNamespace());
  const settings = relaySettings(flags, { ...process.env, SLUICE_NAMESPACE });
  const { kubeconfig, bind: host } = settings;
  const hidden = [...settings.secrets];
  const clock = systemClock;
  // Not process.stderr, which on Deno would bring all of Node's streams.
  const write = (line: string) => console.error(line);
  const logger = createJsonLogger({ level: settings.logLevel, write, secrets: hidden });
  for (const variable of unknownVariables(relayOptions, process.env))
    logger.warn("a variable that is none of the relay's", { variable });

  const { connectKube, listenOn, proxiedFetch, checkMac } = await platform();
  const source = credentialSource(kubeconfig ? { ...process.env, KUBECONFIG: kubeconfig } : process.env);
  const transport = await connectKube(hiding(source, hidden), { logger });
  const fetch = proxiedFetch(settings.ingress, process.env);
  const metrics = createMetrics();
  const listeners: Listener[] = [];
  /** The gateway's. */
  let door: Listener | undefined;
  let file: SecretFile | undefined;
  let running: ReturnType<typeof runRelay> | undefined;
  const stop = async () => {
    file?.stop();
    // Requests that are under way end within the relay's grace, then they are ended.
    const late = Promise.withResolvers<void>();
    const cancel = clock.setTimer(3 * STOP_GRACE_MS, late.resolve);
    const ended = listeners.map((listener) => listener.close());
    const stopped = running && door ? stopServing(running, door) : running?.stop();
    await Promise.race([Promise.all([stopped, ...ended]), late.promise]);
    cancel();
    running?.gateway?.stop();
    for (const listener of [...listeners, door]) listener?.cut();
    await transport.close();
  };
  try {
    if (settings.gateway) await refuseOwnAccount(settings.gateway, transport, logger);
    const onSecret = (secret: string) => void hidden.push(secret);
    if (settings.secretFile) file = await followSecretFile(settings.secretFile, { clock, logger, onSecret });
    const secrets = file?.secrets ?? settings.secrets;
    // Of another life under the same name, in a Pod that is started anew, nothing is taken for its own.
    const identity = `${hostOrNothing()}${crypto.randomUUID()}`;
    const election = settings.election && { ...settings.election, identity };
    running = runRelay({ ...settings, election, secrets, fetch, metrics, transport, clock, logger, checkMac });
    const { gateway } = running;
    if (gateway && settings.gateway) {
      door = await listenOn(gateway.fetch, { port: settings.gateway.port, host, streams: true });
      logger.info("the gateway listens", { url: door.url });
    }
    const operations = operationsOf({ running, metrics, version, hidden });
    const listener =
      settings.metrics && (await listenUnlessTaken(operations, { ...settings.metrics, host, listenOn, logger }));
    if (listener) {
      listeners.push(listener);
      logger.info("metrics and health are served", { url: listener.url });
    }
  } catch (error) {
    await stop();
    throw error;
  }
  void running.synced.then(() => console.log("ready"));
  await stoppedBySignal(stop, signal);
}

/** Runs that the last triggers started are under way: their way to the API server stays open until they have ended. */
async function stopServing(running: ReturnType<typeof runRelay>, door: Listener): Promise<void> {
  const calmBy = systemClock.monotonic() + SERVE_LIMIT_MS;
  await running.stop();
  await running.gateway?.calm(Math.max(0, calmBy - systemClock.monotonic()));
  const closed = door.close();
  // What is asked from now on comes over connections that it would keep open.
  running.gateway?.stop();
  door.cut();
  await closed;
}

/** For people to read in the Lease: in a Pod its name, from a variable, since the host's name needs a right on Deno. */
function hostOrNothing(): string {
  if (process.env.HOSTNAME) return `${process.env.HOSTNAME}_`;
  try {
    return `${hostname()}_`;
  } catch {
    return "";
  }
}
