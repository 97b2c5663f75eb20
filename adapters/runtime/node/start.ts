import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { SchedulingOptions } from "../../../functions/contract/index.ts";
import { manifestOf } from "../../../functions/controller/manifest.ts";
import { runReconcile } from "../../../functions/controller/run.ts";
import { inProcess } from "../../../functions/http/in-process.ts";
import { createIngress } from "../../../functions/http/ingress.ts";
import type { Invoker, Logger, Scheduler, Steps } from "../../../functions/ports/index.ts";
import { startRelay } from "../../../infra/relay/relay.ts";
import { createSqliteKeyValue } from "../../kv/sqlite.ts";
import { createSqliteScheduler } from "../../scheduler/sqlite.ts";
import { openSqliteFile } from "../../sqlite-file.ts";
import { createJsonLogger } from "../json-logger.ts";
import { systemClock } from "../system-clock.ts";
import { connect } from "./connect.ts";
import { type Listener, listenOn } from "./listen.ts";
import { clustersOf, type ServeOptions } from "./options.ts";

/** How long a run that goes on may still take when the process is told to end: 5 s less than a Pod's default. */
export const GRACE_MS = 25_000;

/** A deployment that runs in this process. */
export type Running = {
  /** Resolves once every embedded relay has completed its first lists. */
  synced: Promise<void>;
  /** Where the ingress listens, where it does. */
  url?: string;
  /** Where its lines go. */
  logger: Logger;
  /** What it holds just now. */
  scheduler: Pick<Scheduler, "inspect" | "size">;
  /** Starts no run from now on, lets running ones finish within 25 s, then lets go of everything. */
  stop(): Promise<void>;
};

/** Composes ingress, scheduler, functions and the embedded relays in one process. Signals are its caller's. */
export async function start<Env, Context extends object>(
  options: ServeOptions<Env, Context>,
  steps?: Steps,
): Promise<Running> {
  const env = options.env ?? (process.env as Env);
  const declared = clustersOf(options, env);
  const manifest = await manifestOf(options.controllers);
  const hidden: string[] = [];
  const logger = createJsonLogger({
    level: options.logLevel ?? "info",
    write: (line) => process.stderr.write(`${line}\n`),
    secrets: hidden,
  });
  const clusters = await Promise.all(declared.map((cluster) => connect(cluster, hidden, logger)));
  mkdirSync(options.stateDir, { recursive: true });
  const file = openSqliteFile(join(options.stateDir, "sluice.db"));
  const kv = createSqliteKeyValue(file, systemClock);
  const common = { clock: systemClock, logger, ...(steps && { steps }) };
  const context = options.context?.(env) ?? ({} as Context);

  const invoker: Invoker = {
    async invoke(request) {
      const controller = options.controllers.find(({ name }) => name === request.key.controller);
      const cluster = clusters.find(({ name }) => name === request.key.cluster);
      if (!controller || !cluster)
        throw new Error(`no ${controller ? "cluster" : "controller"} of this name is declared`);
      const transport = cluster.transportOf(controller.name);
      const { revision } = manifest;
      return runReconcile(controller, request, { ...common, transport, kv, env, context, secrets: hidden, revision });
    },
  };
  const scheduling = manifest.controllers.map(({ name, scheduling }): [string, SchedulingOptions] => [
    name,
    scheduling,
  ]);
  const scheduler = createSqliteScheduler(file, { ...common, controllers: new Map(scheduling), invoker });
  const ingress = createIngress({ ...common, manifest, clusters, scheduler });
  const listener: Listener | undefined = options.listen && (await listenOn(ingress.fetch, options.listen));
  const relays = clusters
    .filter(({ embedded }) => embedded)
    .map(({ name, transportOf }) =>
      startRelay({
        ...common,
        cluster: name,
        transport: transportOf(),
        secrets: [],
        random: Math.random,
        ingress: inProcess(ingress, name),
      }),
    );

  const stop = async () => {
    const drained = scheduler.drain();
    await Promise.all([...relays.map((relay) => relay.stop()), listener?.close()]);
    const late = Promise.withResolvers<void>();
    const cancel = systemClock.setTimer(GRACE_MS, late.resolve);
    await Promise.race([drained, late.promise]);
    cancel();
    scheduler.close();
    await Promise.all(clusters.map((cluster) => cluster.close()));
    file.close();
  };
  let stopping: Promise<void> | undefined;
  return {
    synced: Promise.all(relays.map(({ synced }) => synced)).then(() => {}),
    ...(listener && { url: listener.url }),
    logger,
    scheduler,
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}
