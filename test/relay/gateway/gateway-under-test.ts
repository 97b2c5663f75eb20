import { type ApiServerOptions, createApiServer } from "../../../adapters/testing/index.ts";
import { createVirtualClock } from "../../../adapters/testing/virtual-clock.ts";
import {
  type ControllerManifest,
  type Manifest,
  type RbacRule,
  signGatewayCall,
} from "../../../functions/contract/index.ts";
import type { KubeRequest, KubeTransport } from "../../../functions/ports/index.ts";
import { createGateway, type GatewayOptions } from "../../../infra/relay/gateway/gateway.ts";
import { recordingLogger } from "../../support/recording-logger.ts";
import { configMaps, manifestOf, relationOf } from "../support/objects.ts";

const secretOf = (byte: number): string => `whsec_${Buffer.alloc(24, byte).toString("base64")}`;
export const HOME = secretOf(1);
export const HOME_NEXT = secretOf(2);
export const STRANGER = secretOf(9);
export const USER = "system:serviceaccount:functions:reconcilers";

export const rule = (resource: string, verbs: string[], more: Partial<RbacRule> = {}): RbacRule => ({
  apiGroups: [""],
  resources: [resource],
  verbs,
  ...more,
});

/** A manifest whose controllers have these rules; each reconciles ConfigMaps. */
export function manifestWith(rules: Record<string, RbacRule[]>): Manifest {
  const relations = [relationOf({ watch: { resource: configMaps } })];
  const declared = manifestOf(Object.fromEntries(Object.keys(rules).map((name) => [name, relations])));
  const controllers = declared.controllers.map(
    (controller): ControllerManifest => ({ ...controller, rbac: rules[controller.name] ?? [] }),
  );
  return { ...declared, controllers };
}

export const manifest = manifestWith({
  documents: [
    rule("configmaps", ["get", "list", "create", "patch", "delete"]),
    rule("secrets", ["get", "list"]),
    rule("leases", ["get", "list"], { apiGroups: ["coordination.k8s.io"] }),
  ],
  others: [],
});

/** What a test sends: by default a well-formed signed request of the controller `documents`. */
export type Sent = {
  secrets?: readonly string[];
  /** Milliseconds by which the sender's clock differs. */
  skewMs?: number;
  id?: string;
  cluster?: string;
  controller?: string;
  remainingMs?: number;
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  type?: string;
  headers?: Record<string, string>;
  /** What is signed, where it is not what is sent. */
  signed?: { method?: string; path?: string; body?: string };
  signal?: AbortSignal;
};

/** RBAC that allows everything, so that only the gateway refuses. */
const anything: ApiServerOptions = { rules: { [USER]: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }] } };

export type Upstream = { path: string; init: KubeRequest };

/** A gateway before an API server in memory, on a virtual clock; what it sends is recorded. */
export function gatewayUnderTest(
  overrides: Partial<GatewayOptions> = {},
  { declared = manifest, access = anything }: { declared?: Manifest | null; access?: ApiServerOptions } = {},
) {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const logger = recordingLogger();
  const server = createApiServer({ clock, ...access });
  const upstream: Upstream[] = [];
  const transport: KubeTransport = {
    fetch(path, init = {}) {
      upstream.push({ path, init });
      return (overrides.transport ?? server.transport).fetch(path, init);
    },
  };
  const [, , namespace = "", name = ""] = USER.split(":");
  const gateway = createGateway({
    cluster: "home",
    secrets: [HOME, HOME_NEXT],
    serviceAccount: { namespace, name },
    clock,
    logger,
    ...overrides,
    transport,
  });
  if (declared) gateway.declare(declared);

  /** The request as a function signs it. */
  async function requestOf(method: string, path: string, sent: Sent = {}): Promise<Request> {
    const { secrets = [HOME], skewMs = 0, id = crypto.randomUUID(), remainingMs = 60_000, headers = {} } = sent;
    const { body, signed = {}, cluster = "home", controller = "documents", signal } = sent;
    const contentType = sent.type ?? (body === undefined ? "" : "application/json");
    const text = signed.body ?? (body instanceof ReadableStream ? "" : (body ?? ""));
    const call = {
      cluster,
      controller,
      method: signed.method ?? method,
      path: signed.path ?? path,
      contentType,
      body: typeof text === "string" ? new TextEncoder().encode(text) : text,
    };
    const signature = await signGatewayCall(secrets, call, { id, now: clock.now() + skewMs, remainingMs });
    const init = {
      method,
      headers: { ...(contentType !== "" && { "content-type": contentType }), ...signature, ...headers },
      ...(body !== undefined && { body, duplex: "half" }),
      ...(signal && { signal }),
    };
    return new Request(`https://gateway.test${path}`, init);
  }

  return {
    gateway,
    clock,
    logger,
    server,
    upstream,
    requestOf,
    send: async (method: string, path: string, sent: Sent = {}): Promise<Response> =>
      gateway.fetch(await requestOf(method, path, sent)),
  };
}

/** Where ConfigMaps of a namespace are. */
export const mapsIn = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`;

export const configMap = (name: string, data: Record<string, string> = {}): string =>
  JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data });
