import type { Clock } from "../../functions/ports/clock.ts";
import type { KubeTransport } from "../../functions/ports/kube-transport.ts";
import { serveCustomKinds } from "./controllers/crd-controller.ts";
import { GarbageCollector } from "./controllers/garbage-collector.ts";
import { finishNamespaces } from "./controllers/namespace-controller.ts";
import type { Access } from "./http/access.ts";
import { toResponse } from "./http/answer.ts";
import { answerTo } from "./http/dispatch.ts";
import { type Interceptor, InterceptorError } from "./http/interceptor.ts";
import { internal, StatusError } from "./http/status-error.ts";
import { Registry } from "./kinds/registry.ts";
import { Store } from "./store/store.ts";
import { systemClock } from "./system-clock.ts";
import type { Watches } from "./verbs/watch.ts";
import { timestamp, type World } from "./verbs/world.ts";

export type ApiServerOptions = Access & {
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
  /** Creates a CRD, or changes it to this. Rejects where the server refuses it. */
  applyCrd(crd: object): Promise<void>;
  /** Forgets all older versions: watches and page tokens from before answer 410, a watch in the form that is named. */
  compact(form?: "event" | "status"): void;
  /** Ends all open watches, as a restarting server would. */
  disconnectWatches(): void;
  /**
   * Asks `interceptor` before each request whether to answer it otherwise: with a 429, or a read as of an older revision.
   * Returns what ends it. What the interceptor throws, the request rejects with; so it does with a RangeError for a revision
   * that there was not yet, and for a watch as of one.
   * @example
   * const end = server.intercept(({ verb }) => (verb === "list" ? { tooManyRequests: { retryAfterSeconds: 1 } } : undefined));
   */
  intercept(interceptor: Interceptor): () => void;
  /** The revision of the last change: what a list answers as its resourceVersion. */
  revision(): number;
};

/**
 * An API server in memory that answers as kube-apiserver 1.36 does, for tests (test/kube-api/ holds it to recordings of the
 * real one). Kinds: ConfigMap, Secret, Namespace, ServiceAccount, Lease, Event, Service, Deployment, NetworkPolicy, CRDs and
 * their custom resources; it answers 501 to anything else that the real one has, and names it. Owners' garbage, namespaces
 * and CRDs are collected at once after the change that calls for it. No other controller runs: a Deployment stays as it was
 * written, a namespace has no ServiceAccount that was not made in it.
 *
 * Limits: a body of 3 MiB and a JSON patch of 10000 operations, as the real one's (413). No strategic merge patch (415). 501 for
 * apply on a scale, and for a CRD with rules in CEL, a conversion webhook, an object embedded in the object, or a pattern in
 * Go's own syntax. Quotas, admission and OpenAPI are not there. All versions of all objects are kept, however many, until
 * `compact()`: make one server a test.
 *
 * @example
 * const server = createApiServer();
 * await server.applyCrd(crd);
 * const response = await server.transport.fetch("/api/v1/namespaces/default/configmaps");
 */
export function createApiServer({ clock = systemClock, ...access }: ApiServerOptions = {}): ApiServer {
  const world: World = { store: new Store(), registry: new Registry(), clock, newUid: () => crypto.randomUUID() };
  const watches: Watches = { open: new Set(), expired: "event" };
  const interceptors = new Set<Interceptor>();
  startControllers(world);

  const fetch = async (request: Request): Promise<Response> => {
    const body = request.body ? await request.text() : "";
    try {
      return toResponse(answerTo({ world, watches, access, interceptors }, request, body));
    } catch (error) {
      if (error instanceof InterceptorError) throw error.cause;
      // A mistake of this server is an answer too: a client that saw a rejection would take it for the network's.
      const status = error instanceof StatusError ? error : internal((error as Error).stack ?? String(error));
      const retryAfter = status.details?.retryAfterSeconds;
      const headers: Record<string, string> = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
      return toResponse({ status: status.code, headers, body: status.body() });
    }
  };
  const transport: KubeTransport = {
    async fetch(path, init = {}) {
      init.signal?.throwIfAborted();
      return fetch(new Request(`http://kubernetes.test${path}`, init));
    },
  };

  return {
    fetch,
    transport,
    async listen(port = 0) {
      const { listen } = await import("./listen.ts");
      return listen(fetch, port);
    },
    async applyCrd(crd) {
      const name = (crd as { metadata?: { name?: string } }).metadata?.name;
      if (!name) throw new TypeError("applyCrd: the CRD has no metadata.name");
      const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
      const headers = { "content-type": "application/apply-patch+yaml" };
      const init = { method: "PATCH", headers, body: JSON.stringify(crd) };
      const response = await transport.fetch(`${path}?fieldManager=test&force=true`, init);
      if (!response.ok) throw new Error(`the CRD ${name} was refused: ${await response.text()}`);
    },
    compact(form = "event") {
      watches.expired = form;
      world.store.compact();
    },
    disconnectWatches() {
      for (const close of [...watches.open]) close();
    },
    intercept(interceptor) {
      interceptors.add(interceptor);
      return () => interceptors.delete(interceptor);
    },
    revision: () => world.store.revision,
  };
}

function startControllers(world: World): void {
  const collector = new GarbageCollector(world);
  world.store.subscribe((event) => {
    serveCustomKinds(world, event);
    collector.observe(event);
    finishNamespaces(world, event);
  });
  for (const name of ["default", "kube-system", "kube-public", "kube-node-lease"]) {
    const creationTimestamp = timestamp(world.clock.now());
    const labels = { "kubernetes.io/metadata.name": name };
    world.store.put("namespaces", {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name, uid: world.newUid(), resourceVersion: "", creationTimestamp, labels },
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Active" },
    });
  }
}
