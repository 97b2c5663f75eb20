import { type Controller, defineController } from "sluice";
import { ConfigMap } from "sluice/kinds";
import { createApiServer, createVirtualClock } from "sluice/testing";
import { createMemoryKeyValue } from "../../../adapters/kv/memory.ts";
import { createMemoryScheduler } from "../../../adapters/scheduler/memory.ts";
import { type Manifest, revisionOf } from "../../../functions/contract/index.ts";
import { manifestOf } from "../../../functions/controller/manifest.ts";
import { runReconcile } from "../../../functions/controller/run.ts";
import { createIngress } from "../../../functions/http/ingress.ts";
import type { Clock, Scheduler } from "../../../functions/ports/index.ts";
import { type Relay, startRelay } from "../../../infra/relay/relay.ts";
import { person } from "../../support/cluster.ts";
import { recordingLogger } from "../../support/recording-logger.ts";
import { secret } from "./scripted-ingress.ts";

export type Reconcile = Controller<unknown, object, ConfigMap>["reconcile"];

/** One version of the functions: a controller of ConfigMaps. */
export async function version(reconcile: Reconcile): Promise<{ controller: Controller; manifest: Manifest }> {
  const controller = defineController()({ name: "maps", for: ConfigMap, reconcile });
  return { controller, manifest: await manifestOf([controller]) };
}
export type Version = Awaited<ReturnType<typeof version>>;

/** A clock of a platform that loses every timer. */
export const withoutTimers = (clock: Clock): Clock => ({ ...clock, setTimer: () => () => {} });

/** A scheduler on a platform without timers of its own, as the relay is told (R12). */
export const timedByRelay = (scheduler: Scheduler): Scheduler => {
  const told = async (accepted: ReturnType<Scheduler["wake"]>) => {
    const { nextWakeInMs, ...rest } = await accepted;
    return {
      ...rest,
      nextWakeInMs: scheduler.size().running > 0 ? Math.min(1_000, nextWakeInMs ?? 1_000) : nextWakeInMs,
    };
  };
  return {
    flags: { durable: false, timer: "relay" },
    accept: (cluster, triggers) => told(scheduler.accept(cluster, triggers)),
    wake: (cluster) => told(scheduler.wake(cluster)),
    inspect: (key) => scheduler.inspect(key),
    parked: () => scheduler.parked(),
    deleteParked: (line) => scheduler.deleteParked(line),
    size: () => scheduler.size(),
    drain: () => scheduler.drain(),
    close: () => scheduler.close(),
  };
};

/** Everything from an API server to functions in one process; functions are deployed, and relays come and go. */
export async function loop(
  first: Version,
  platform: {
    clock?: (clock: Clock) => Clock;
    scheduler?: (scheduler: Scheduler) => Scheduler;
    /** Whether the functions keep the relay's checkpoint. */
    kept?: boolean;
  } = {},
) {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const logger = recordingLogger();
  const server = createApiServer({ clock });
  const { transport } = server;
  const kv = createMemoryKeyValue(clock);
  const { kept } = platform;
  const runs: string[] = [];
  const reasons: (readonly string[])[] = [];
  const startedAt = clock.monotonic();
  let declared = first;
  let running = first;
  const inner = createMemoryScheduler({
    controllers: new Map(first.manifest.controllers.map(({ name, scheduling }) => [name, scheduling])),
    clusters: new Set(["home"]),
    invoker: {
      invoke(request) {
        const { controller, manifest } = running;
        const revision = revisionOf(manifest, controller.name)!;
        const version = running === first ? "first" : "second";
        runs.push(
          `${request.key.name} by the ${version} after ${Math.round((clock.monotonic() - startedAt) / 1_000)} s`,
        );
        reasons.push(request.reasons);
        const deps = { transport, kv, clock, logger, env: {}, context: {}, secrets: [], revision };
        return runReconcile(controller, request, deps);
      },
    },
    ...{ clock: platform.clock?.(clock) ?? clock, logger, random: () => 0.5 },
  });
  const scheduler = platform.scheduler?.(inner) ?? inner;
  const ingressOf = ({ manifest, controller }: Version) =>
    createIngress({
      ...{ manifest, scheduler, clock, logger, controllers: [controller], ...(kept && { kv }) },
      clusters: [{ name: "home", secrets: [secret] }],
    });
  let ingress = ingressOf(first);

  /** A relay, and the cut of its wire: what it sends then is lost, as if it had been killed. */
  function startOne(): { relay: Relay; kill: () => Promise<void> } {
    let cut = false;
    const relay = startRelay({
      ...{ cluster: "home", transport, secrets: [secret], clock, logger, random: () => 0.5 },
      ingress: {
        fetch: async (path, init) => (cut ? new Promise(() => {}) : ingress.request(path, init)),
      },
    });
    const kill = async () => {
      cut = true;
      const stopped = relay.stop();
      await clock.advance(5_000);
      await stopped;
    };
    return { relay, kill };
  }

  const rest = async (): Promise<void> => {
    for (let hops = 0; hops < 10; hops++) await clock.settle();
  };
  return {
    clock,
    runs,
    /** Why each of them ran. */
    reasons,
    scheduler,
    logger,
    kubectl: person(server),
    startRelay: startOne,
    rest,
    pass: async (ms: number) => {
      await clock.advance(ms);
      await rest();
    },
    /** The functions declare another version from now on. */
    declare(next: Version) {
      declared = next;
      ingress = ingressOf(declared);
    },
    /** And it is what runs. */
    run(next: Version) {
      running = next;
    },
  };
}

export const MAPS = "/api/v1/namespaces/default/configmaps";
export const map = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
