import { crdOf, customResource } from "sluice";
import { createApiServer, createVirtualClock } from "sluice/testing";
import * as z from "zod";
import { createMemoryKeyValue } from "../../../adapters/kv/memory.ts";
import { type Manifest, problemOf } from "../../../functions/contract/index.ts";
import { createIngress } from "../../../functions/http/ingress.ts";
import { followIdentity } from "../../../infra/relay/identity.ts";
import { createMetrics } from "../../../infra/relay/metrics/metrics.ts";
import { startRelay } from "../../../infra/relay/relay.ts";
import { person } from "../../support/cluster.ts";
import { recordingLogger } from "../../support/recording-logger.ts";
import { deployment, named, owned, primary } from "../support/redeployed.ts";
import { secret } from "../support/scripted-ingress.ts";
import { tapTransport } from "../support/tapped-transport.ts";

const Document = customResource({
  ...{ group: "example.com", version: "v1", kind: "Document", plural: "documents", scope: "Namespaced" },
  spec: z.object({ title: z.string().optional(), secretName: z.string().optional() }),
  status: z.object({ phase: z.string() }).partial(),
});

export const DOCUMENTS = "/apis/example.com/v1/namespaces/default/documents";
export const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
export const SECRETS = "/api/v1/namespaces/default/secrets";

/** Documents with their ConfigMaps and the Secrets that they name; and a second controller of Documents. */
export const declared = deployment({
  docs: { revision: "d1", relations: [primary, owned(), named(".spec.secretName")] },
  more: { revision: "m1", relations: [primary] },
});

/** An API server, functions that take what is triggered and run nothing, and relays that come and go. */
export async function restarts() {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const kv = createMemoryKeyValue(clock);
  const logger = recordingLogger();
  const first = createApiServer({ clock });
  const accepted: string[] = [];
  const world = {
    clock,
    kv,
    logger,
    metrics: createMetrics(),
    server: first,
    /** Whose kube-system is read: another server of the same cluster is one that was put back. */
    identity: first,
    /** Whether the API server answers. */
    down: false,
    manifest: declared as Manifest,
    epoch: "e1",
    /** Whether relays make sure which cluster it is, and the uid that they are told to accept. */
    strict: undefined as { accept?: string } | undefined,
    /** Whether triggers are refused, as by a scheduler that cannot commit. */
    refusing: false,
    /** Answers in place of the functions. */
    instead: undefined as ((method: string, path: string) => Response | Promise<Response> | undefined) | undefined,
    asked: [] as string[],
    start,
    kubectl: (): ReturnType<typeof person> => person(world.server),
    /** What was accepted since this was asked last: `live docs/a`. Twice is as once: the scheduler merges. */
    triggered(): string[] {
      return [...new Set(accepted.splice(0))].sort();
    },
    /** Another cluster under the old name, with nothing but the kinds. */
    async rebuild(): Promise<void> {
      world.server = world.identity = createApiServer({ clock });
      await world.server.applyCrd(crdOf(Document));
    },
    /** Time goes by in the cluster: afterwards nobody can go on from before. */
    async expire(): Promise<void> {
      await world.kubectl().create("/api/v1/namespaces", { metadata: { name: "later" } });
      world.server.compact();
    },
    async create(name: string, spec: object = {}) {
      return world.kubectl().create(DOCUMENTS, { ...document(name), spec });
    },
    /** A ConfigMap that a Document controls. */
    async own(name: string, owner: string) {
      const uid = (await world.kubectl().get(`${DOCUMENTS}/${owner}`))?.metadata.uid;
      const reference = { apiVersion: "example.com/v1", kind: "Document", name: owner, uid, controller: true };
      return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ownerReferences: [reference] } };
    },
  };

  function functions() {
    const told = () => ({ nextWakeInMs: null, epoch: world.epoch });
    return createIngress({
      manifest: world.manifest,
      clusters: [{ name: "home", secrets: [secret] }],
      scheduler: {
        flags: { durable: true, timer: "platform" },
        async accept(_, triggers) {
          if (world.refusing) throw new Error("no");
          accepted.push(...triggers.map(({ lane, controller, name }) => `${lane} ${controller}/${name}`));
          return told();
        },
        wake: async () => told(),
      },
      ...{ kv, clock, logger: recordingLogger() },
    });
  }

  /** A relay that has seen all there is, and delivered it where that is possible. */
  async function start() {
    const transport = tapTransport({
      async fetch(path, init) {
        if (world.down) throw new TypeError("fetch failed");
        const { transport } = path.endsWith("/kube-system") ? world.identity : world.server;
        return transport.fetch(path, init);
      },
    });
    let cut = false;
    const common = { cluster: "home", transport, clock, logger, random: () => 0.5 };
    const identity = world.strict && followIdentity({ ...common, ...world.strict });
    const relay = startRelay({
      ...{ ...common, secrets: [secret], identity, metrics: world.metrics },
      ingress: {
        async fetch(path, { signal: _, ...init }) {
          if (cut) return new Promise(() => {});
          world.asked.push(`${init.method} ${path}`);
          return world.instead?.(init.method, path) ?? functions().request(path, init);
        },
      },
    });
    const end = async (): Promise<void> => {
      const stopped = relay.stop();
      await clock.advance(10_000);
      await stopped;
    };
    await rest();
    return {
      relay,
      /** What it asked of the API server: `list documents`, `probe documents`, `watch documents`. */
      requests: () => transport.tap.paths.map(kindOf).sort(),
      /** By SIGTERM. */
      stop: end,
      /** By `kill -9`: nothing that it does any more reaches anybody. */
      async kill() {
        cut = true;
        await end();
      },
    };
  }

  async function rest(): Promise<void> {
    for (let hops = 0; hops < 10; hops++) await clock.settle();
  }

  await world.server.applyCrd(crdOf(Document));
  return { ...world, world, rest };
}

/** Three Documents: one with a child, one that names a Secret, one alone; seen, delivered, and at rest. */
export async function running() {
  const bench = await restarts();
  await bench.create("a");
  await bench.create("b", { secretName: "token" });
  await bench.create("c");
  await bench.kubectl().create(CONFIG_MAPS, await bench.own("child", "a"));
  await bench.kubectl().create(CONFIG_MAPS, { metadata: { name: "nobodys" } });
  for (const name of ["token", "other"]) await bench.kubectl().create(SECRETS, { metadata: { name } });
  const relay = await bench.start();
  if (bench.triggered().join() !== EVERYTHING.join()) throw new Error("not everything was triggered at the start");
  return { ...bench, relay };
}
/** What is triggered where nothing is known. */
export const EVERYTHING = ["docs/a", "docs/b", "docs/c", "more/a", "more/b", "more/c"].map((key) => `resync ${key}`);

function document(name: string) {
  return { apiVersion: "example.com/v1", kind: "Document", metadata: { name } };
}

function kindOf(path: string): string {
  const { pathname, searchParams } = new URL(path, "https://cluster.test");
  if (pathname.endsWith("/kube-system")) return "identify";
  // A streaming list is a list all the same.
  if (searchParams.has("sendInitialEvents")) return `list ${pathname.split("/").at(-1)}`;
  const what = searchParams.has("watch") ? "watch" : searchParams.get("limit") === "1" ? "probe" : "list";
  return `${what} ${pathname.split("/").at(-1)}`;
}

export const unavailable = () => Response.json(problemOf("unavailable", "no"), { status: 503 });
