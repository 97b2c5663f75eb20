import type { Clock } from "../../functions/ports/clock.ts";
import type { KubeTransport } from "../../functions/ports/kube-transport.ts";
import { serveCustomKinds } from "./controllers/crd-controller.ts";
import { GarbageCollector } from "./controllers/garbage-collector.ts";
import { finishNamespaces } from "./controllers/namespace-controller.ts";
import { type Answer, toResponse } from "./http/answer.ts";
import { type ApiRequest, parsePath, verbOf } from "./http/request.ts";
import { route } from "./http/route.ts";
import { methodNotAllowed, notServed, StatusError } from "./http/status-error.ts";
import { Registry } from "./kinds/registry.ts";
import { apiVersionOf } from "./kinds/served-kind.ts";
import { Store } from "./store/store.ts";
import { systemClock } from "./system-clock.ts";
import type { Watches } from "./verbs/watch.ts";
import { timestamp, type World } from "./verbs/world.ts";

export type ApiServerOptions = {
  /** Default: the machine's. */
  clock?: Clock;
};

export type ApiServer = {
  /** For clients in the same process. */
  transport: KubeTransport;
  fetch(request: Request): Promise<Response>;
  /**
   * Serves the same over HTTP on loopback. Node only.
   * @param port 0 (default) for a free one.
   */
  listen(port?: number): Promise<{ url: string; close(): Promise<void> }>;
  /** Creates a CRD, or updates its spec. */
  applyCrd(crd: object): Promise<void>;
  /** Forgets all older versions: watches and page tokens from before answer 410, a watch in the form that is named. */
  compact(form?: "event" | "status"): void;
  /** Ends all open watches, as a restarting server would. */
  disconnectWatches(): void;
};

/**
 * An API server in memory that behaves as the real one does, for tests.
 *
 * @example
 * const server = createApiServer();
 * await server.applyCrd(crd);
 * const response = await server.transport.fetch("/api/v1/namespaces/default/configmaps");
 */
export function createApiServer({ clock = systemClock }: ApiServerOptions = {}): ApiServer {
  const world: World = { store: new Store(), registry: new Registry(), clock, newUid: () => crypto.randomUUID() };
  const watches: Watches = { open: new Set(), expired: "event" };
  const collector = new GarbageCollector(world);
  world.store.subscribe((event) => {
    serveCustomKinds(world, event);
    collector.observe(event);
    finishNamespaces(world, event);
  });
  for (const name of ["default", "kube-system", "kube-public", "kube-node-lease"]) {
    world.store.put("namespaces", {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: {
        name,
        uid: world.newUid(),
        resourceVersion: "",
        creationTimestamp: timestamp(clock.now()),
        labels: { "kubernetes.io/metadata.name": name },
      },
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Active" },
    });
  }

  const fetch = async (request: Request): Promise<Response> => {
    const body = request.method === "GET" ? "" : await request.text();
    try {
      return toResponse(answer(world, watches, request, body));
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return toResponse({ status: error.code, body: error.body() });
    }
  };

  const server: ApiServer = {
    fetch,
    transport: {
      async fetch(path, init = {}) {
        const { signal } = init;
        signal?.throwIfAborted();
        return fetch(new Request(`http://kubernetes.test${path}`, { ...init, ...(signal && { signal }) }));
      },
    },
    async listen(port = 0) {
      const { listen } = await import("./listen.ts");
      return listen(fetch, port);
    },
    async applyCrd(crd) {
      const { metadata } = crd as { metadata: { name: string } };
      const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
      const response = await server.transport.fetch(`${path}/${metadata.name}?fieldManager=test&force=true`, {
        method: "PATCH",
        headers: { "content-type": "application/apply-patch+yaml" },
        body: JSON.stringify(crd),
      });
      if (!response.ok) throw new Error(`the CRD was refused: ${await response.text()}`);
      await response.body?.cancel();
    },
    compact(form = "event") {
      watches.expired = form;
      world.store.compact();
    },
    disconnectWatches() {
      for (const close of [...watches.open]) close();
    },
  };
  return server;
}

const NOT_FOUND: Answer = { status: 404, text: "404 page not found\n" };

function answer(world: World, watches: Watches, request: Request, body: string): Answer {
  const url = new URL(request.url);
  if (["/readyz", "/livez", "/healthz"].includes(url.pathname)) return { status: 200, text: "ok" };
  if (url.pathname === "/version") {
    return { status: 200, body: { major: "1", minor: "36", gitVersion: "v1.36.3", platform: "sluice/testing" } };
  }
  const path = parsePath(url.pathname);
  const { registry } = world;
  if (!path) return NOT_FOUND;
  const kind = registry.find(path.group, path.version, path.plural);
  if (!kind) {
    if (!registry.hasGroupVersion(path.group, path.version)) return NOT_FOUND;
    return NOT_FOUND;
  }
  if (path.namespace !== undefined && !kind.namespaced) return NOT_FOUND;
  if (path.subresource === "status" ? !kind.status : path.subresource !== undefined) {
    throw notServed(`${apiVersionOf(kind)} ${kind.plural}/${path.subresource}`);
  }
  const verb = verbOf(request.method, path, url.searchParams);
  if (!verb) throw methodNotAllowed();
  const apiRequest: ApiRequest = {
    ...path,
    verb,
    method: request.method,
    query: url.searchParams,
    headers: request.headers,
    path: url.pathname,
    body,
    signal: request.signal,
  };
  return route(world, kind, apiRequest, watches);
}
