import { createApiServer, createVirtualClock, type VirtualClock } from "sluice/testing";
import { createMemoryKeyValue } from "../../../adapters/kv/memory.ts";
import type { Manifest, Trigger } from "../../../functions/contract/index.ts";
import { createIngress } from "../../../functions/http/ingress.ts";
import type { Clock, KeyValue, KubeTransport } from "../../../functions/ports/index.ts";
import type { Shard } from "../../../infra/relay/plan/shard.ts";
import { type Relay, startRelay } from "../../../infra/relay/relay.ts";
import { person } from "../../support/cluster.ts";
import { recordingLogger } from "../../support/recording-logger.ts";
import { configMaps, manifestOf, relationOf, secrets } from "../support/objects.ts";
import { secret } from "../support/scripted-ingress.ts";
import { rulesOf } from "./election-world.ts";

export const MAPS = "/api/v1/namespaces/default/configmaps";

const self = relationOf({ watch: { resource: configMaps }, predicate: "resourceVersion" });
const alone = manifestOf({ maps: [self] });
/** ConfigMaps that own Secrets. */
export const owning = manifestOf({
  maps: [
    self,
    relationOf({ id: "owns/Secret", watch: { resource: secrets }, mapping: { by: "owner", owner: "controller" } }),
  ],
});

export type Replica = {
  relay: Relay;
  /** What it sent to the functions and was answered, in order: `POST /triggers`, `PUT /checkpoint`. */
  sent: string[];
  /** Stops its process, as SIGSTOP does; resolves nothing and fires no timer until it goes on. */
  pause(): void;
  goOn(): void;
  /** Nothing of it is heard of any more. */
  kill(): void;
  logger: ReturnType<typeof recordingLogger>;
};

/** Relays of one cluster, with its API server and the functions, on one virtual clock. */
export function replicas(options: { kv?: false; manifest?: Manifest } = {}) {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const server = createApiServer({ clock });
  const memory = createMemoryKeyValue(clock);
  const away = () => Promise.reject(new Error("the KV store is away"));
  const kv: KeyValue = {
    ...memory,
    get: (key) => (functions.keepsNothing ? away() : memory.get(key)),
    set: (key, value, options) => (functions.keepsNothing ? away() : memory.set(key, value, options)),
  };
  const delivered: (Trigger & { by: string; at: number })[] = [];
  const functions = {
    epoch: "e1",
    /** What they declare to relays that start from now on. */
    declare: options.manifest ?? alone,
    /** Triggers are refused, the rest is answered. */
    refuses: false,
    /** Checkpoints can be neither read nor saved. */
    keepsNothing: false,
    wakes: [] as string[],
  };
  /** The functions, as they are asked by this relay. */
  const ingressFor = (by: string) =>
    createIngress({
      manifest: functions.declare,
      clusters: [{ name: "home", secrets: [secret] }],
      scheduler: {
        flags: { durable: true, timer: "platform" },
        async accept(_, triggers) {
          if (functions.refuses) throw new Error("the store is away");
          for (const trigger of triggers) delivered.push({ ...trigger, by, at: clock.monotonic() });
          return { nextWakeInMs: null, epoch: functions.epoch };
        },
        async wake() {
          functions.wakes.push(by);
          return { nextWakeInMs: null, epoch: functions.epoch };
        },
      },
      ...(options.kv !== false && { kv }),
      clock,
      logger: recordingLogger(),
    });

  function start(identity: string, shard?: Shard): Replica {
    const process = pausable(clock);
    const logger = recordingLogger();
    const sent: string[] = [];
    const ingress = ingressFor(identity);
    const transport: KubeTransport = {
      async fetch(path, init) {
        const answer = await process.whenRunning(server.transport.fetch(path, init));
        const body = answer.body?.pipeThrough(process.stream()) ?? null;
        const type = answer.headers.get("content-type");
        return new Response(body, {
          status: answer.status,
          ...(type !== null && { headers: { "content-type": type } }),
        });
      },
    };
    const relay = startRelay({
      ...{ cluster: "home", secrets: [secret], transport, clock: process.clock, logger, random: () => 0.5 },
      election: { ...rulesOf(identity), lease: { namespace: "default", name: shard?.name ?? "sluice-relay" } },
      ...(shard && { shard }),
      ingress: {
        async fetch(path, { signal: _, ...init }) {
          if (process.dead()) return new Promise(() => {});
          const what = path.startsWith("/checkpoint/") ? "/checkpoint" : path;
          if (init.method !== "GET") sent.push(`${init.method} ${what}`);
          return process.whenRunning(Promise.resolve(ingress.request(path, init)));
        },
      },
    });
    return { relay, sent, pause: process.pause, goOn: process.goOn, kill: process.kill, logger };
  }

  const kubectl = person(server);
  const pass = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    for (let hops = 0; hops < 10; hops++) await clock.settle();
  };
  const create = (name: string) => kubectl.create(MAPS, { apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
  return {
    clock,
    server,
    functions,
    kubectl,
    start,
    pass,
    delivered,
    /** The names that were delivered since the last call, in order, with who did. */
    take: () => delivered.splice(0).map(({ name, by }) => `${name} by ${by}`),
    create,
    change: (name: string, value: string) => kubectl.merge(`${MAPS}/${name}`, { data: { value } }),
    delete: (name: string) => kubectl.delete(`${MAPS}/${name}`),
    lease: () => kubectl.get("/apis/coordination.k8s.io/v1/namespaces/default/leases/sluice-relay"),
    /** One that leads and one that stands by, with these objects delivered. */
    async two(...names: string[]) {
      for (const name of names) await create(name);
      const a = start("a");
      await pass(100);
      const b = start("b");
      await pass(12_000); // the first checkpoint is saved 10 s after the start
      delivered.splice(0);
      return { a, b };
    },
  };
}

/** The clock and the input of a process that can be stopped, and goes on later as if nothing had been. */
function pausable(clock: VirtualClock) {
  let running = Promise.withResolvers<void>();
  running.resolve();
  let paused = false;
  let dead = false;
  const waiting: (() => void)[] = [];

  const whenRunning = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    await running.promise;
    return result;
  };
  const own: Clock = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    setTimer(ms, callback) {
      let cancelled = false;
      const fire = (): void => {
        if (!cancelled && !dead) callback();
      };
      const cancel = clock.setTimer(ms, () => (paused ? waiting.push(fire) : fire()));
      return () => {
        cancelled = true;
        cancel();
      };
    },
  };
  return {
    clock: own,
    whenRunning,
    dead: () => dead,
    stream: () =>
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        async transform(chunk, controller) {
          await running.promise;
          controller.enqueue(chunk);
        },
      }),
    pause() {
      paused = true;
      running = Promise.withResolvers();
    },
    goOn() {
      paused = false;
      // Answers that came meanwhile, before timers: the least favourable order.
      running.resolve();
      void Promise.resolve().then(() => {
        for (const fire of waiting.splice(0)) fire();
      });
    },
    kill() {
      paused = dead = true;
      running = Promise.withResolvers();
    },
  };
}
