import { createMemoryKeyValue } from "../../../adapters/kv/memory.ts";
import type { SchedulerOptions } from "../../../adapters/scheduler/driver.ts";
import { createMemoryScheduler } from "../../../adapters/scheduler/memory.ts";
import { createVirtualClock } from "../../../adapters/testing/virtual-clock.ts";
import {
  API_VERSION,
  type Manifest,
  type ResourceRef,
  schedulingOptions,
  sign,
  type Trigger,
} from "../../../functions/contract/index.ts";
import type { Controller } from "../../../functions/controller/controller.ts";
import { createIngress } from "../../../functions/http/ingress.ts";
import type { IngressOptions } from "../../../functions/http/ingress-env.ts";
import { Secret } from "../../../functions/kinds.ts";
import { recordingLogger } from "../../support/recording-logger.ts";
import { triggerOf } from "../../support/shard.ts";
import { documents } from "../controller/documents.ts";

const secretOf = (byte: number): string => `whsec_${Buffer.alloc(24, byte).toString("base64")}`;
export const HOME = secretOf(1);
export const HOME_NEXT = secretOf(2);
export const AWAY = secretOf(3);
export const STRANGER = secretOf(9);

const controller = (name: string, resource: ResourceRef): Manifest["controllers"][number] => ({
  name,
  fieldManager: name,
  relations: [
    { id: "for", watch: { resource }, predicate: "generation", mapping: { by: "self" }, ownWrites: "trigger" },
  ],
  scheduling: schedulingOptions.parse({}),
  rbac: [],
});
const kind = (name: string, plural: string, scope: ResourceRef["scope"]): ResourceRef => ({
  group: "example.com",
  version: "v1",
  kind: name,
  plural,
  scope,
});

export const manifest: Manifest = {
  apiVersion: API_VERSION,
  revision: "r1",
  controllers: [
    controller("documents", kind("Document", "documents", "Namespaced")),
    controller("shelves", kind("Shelf", "shelves", "Cluster")),
  ],
};

/** The relation whose keys code tells. */
export const MAPPED = "watches/Secret";

/** Its code names a document as the Secret is named. */
export const mapped = documents({
  watches: [{ resource: Secret, mapTo: ({ metadata: { name, namespace } }: Secret) => [{ name, namespace }] }],
});

export const batch = (triggers: readonly Trigger[] = [triggerOf("a")], cluster = "home") => ({
  apiVersion: API_VERSION,
  cluster,
  triggers,
});

/** What a test sends: by default a well-formed signed request of the cluster `home`. */
export type Sent = {
  secrets?: readonly string[];
  /** Milliseconds by which the sender's clock differs. */
  skewMs?: number;
  id?: string;
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  /** What is signed, where it is not what is sent. */
  signed?: string;
  headers?: Record<string, string>;
};

/** An ingress with a scheduler that starts runs and never hears of them again. */
export function ingressUnderTest(overrides: Partial<IngressOptions> = {}, limits: SchedulerOptions["limits"] = {}) {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const logger = recordingLogger();
  const scheduler = createMemoryScheduler({
    controllers: new Map(manifest.controllers.map(({ name, scheduling }) => [name, scheduling])),
    clusters: new Set(["home", "away"]),
    limits,
    invoker: { invoke: () => new Promise(() => {}) },
    clock,
    logger,
  });
  const kv = createMemoryKeyValue(clock);
  const clusters = [
    { name: "home", secrets: [HOME, HOME_NEXT] },
    { name: "away", secrets: [AWAY] },
  ];
  const controllers: readonly Controller[] = [mapped as unknown as Controller];
  const app = createIngress({ manifest, clusters, scheduler, kv, clock, logger, controllers, ...overrides });

  async function send(method: string, path: string, sent: Sent = {}): Promise<Response> {
    const { secrets = [HOME], skewMs = 0, id = crypto.randomUUID(), body, headers = {} } = sent;
    const text = sent.signed ?? (body instanceof ReadableStream ? "" : (body ?? ""));
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    const signature = await sign(secrets, { id, now: clock.now() + skewMs, body: bytes });
    const init = {
      method,
      headers: {
        ...((method === "POST" || method === "PUT") && { "content-type": "application/json" }),
        ...signature,
        ...headers,
      },
      ...(body !== undefined && { body, duplex: "half" }),
    };
    return app.request(path, init);
  }

  return {
    app,
    clock,
    logger,
    scheduler,
    kv,
    send,
    /** `POST /triggers` of an object as JSON. */
    trigger: (value: unknown, sent: Sent = {}) => send("POST", "/triggers", { body: JSON.stringify(value), ...sent }),
  };
}
