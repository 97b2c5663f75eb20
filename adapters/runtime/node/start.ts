import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { revisionOf, type SchedulingOptions } from "../../../functions/contract/index.ts";
import type { Controller } from "../../../functions/controller/controller.ts";
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
import type { Listener } from "./listen.ts";
import { clustersOf, type ServeOptions } from "./options.ts";

/** How long a run that goes on may still take when the process is told to end: 5 s less than a Pod's default. */
export const GRACE_MS = 25_000;

/** A deployment that runs in this process. */
export type Running = {
  /** Resolves with true once every embedded relay has completed its first lists, with false where it is stopped before. */
  synced: Promise<boolean>;
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
  const release: (() => unknown)[] = clusters.map((cluster) => cluster.close);
  try {
    return await compose();
  } catch (error) {
    for (const letGo of release.reverse()) await letGo();
    throw error;
  }

  async function compose(): Promise<Running> {
    const context = options.context?.(env) ?? ({} as Context);
    if (context instanceof Promise) throw new TypeError("context: must return an object, not a Promise");
    mkdirSync(options.stateDir, { recursive: true });
    const file = openSqliteFile(join(options.stateDir, "sluice.db"));
    release.push(() => file.close());
    const kv = createSqliteKeyValue(file, systemClock);
    const common = { clock: systemClock, logger, ...(steps && { steps }) };
    const invoker: Invoker = {
      async invoke(request) {
        const controller = options.controllers.find(({ name }) => name === request.key.controller);
        const cluster = clusters.find(({ name }) => name === request.key.cluster);
        if (!controller || !cluster)
          throw new Error(`no ${controller ? "cluster" : "controller"} of this name is declared`);
        const transport = cluster.transportOf(controller.name);
        const revision = revisionOf(manifest, controller.name);
        return runReconcile(controller, request, { ...common, transport, kv, env, context, secrets: hidden, revision });
      },
    };
    const controllers = new Map<string, SchedulingOptions>(
      manifest.controllers.map(({ name, scheduling }) => [name, scheduling]),
    );
    const scheduler = createSqliteScheduler(file, { ...common, controllers, invoker });
    release.push(() => scheduler.close());
    const ingress = createIngress({
      ...{ ...common, manifest, clusters, scheduler, kv, env },
      controllers: options.controllers as readonly Controller[],
    });
    const listener: Listener | undefined =
      options.listen && (await (await import("./listen.ts")).listenOn(ingress.fetch, options.listen));
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

    const stopped = Promise.withResolvers<false>();
    const stop = async () => {
      stopped.resolve(false);
      void listener?.close();
      const drained = Promise.all([scheduler.drain(), ...relays.map((relay) => relay.stop())]);
      const late = Promise.withResolvers<void>();
      const cancel = systemClock.setTimer(GRACE_MS, late.resolve);
      await Promise.race([drained, late.promise]);
      cancel();
      listener?.cut();
      for (const letGo of release.reverse()) await letGo();
    };
    let stopping: Promise<void> | undefined;
    return {
      synced: Promise.race([Promise.all(relays.map(({ synced }) => synced)).then(() => true), stopped.promise]),
      ...(listener && { url: listener.url }),
      logger,
      scheduler,
      stop() {
        stopping ??= stop();
        return stopping;
      },
    };
  }
}
