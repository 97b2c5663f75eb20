import { createMemoryKeyValue } from "../../../adapters/kv/memory.ts";
import { createApiServer } from "../../../adapters/testing/api-server.ts";
import { createVirtualClock } from "../../../adapters/testing/virtual-clock.ts";
import { API_VERSION, keyOf, type ReconcileAnswer, type ReconcileRequest } from "../../../functions/contract/index.ts";
import type { Controller } from "../../../functions/controller/controller.ts";
import { type RunDeps, runReconcile } from "../../../functions/controller/run.ts";
import { crdOf } from "../../../functions/kube/crd.ts";
import type { KubeObject } from "../../../functions/kube/resource.ts";
import type { KeyValue, KubeRequest } from "../../../functions/ports/index.ts";
import { recordingLogger } from "../../support/recording-logger.ts";
import { Document, documents } from "./documents.ts";

export const PATH = "/apis/example.com/v1/namespaces/default/documents";
export const KEY = { cluster: "home", controller: "documents", namespace: "default", name: "a" };

export const requestOf = (fields: Partial<ReconcileRequest> = {}): ReconcileRequest => ({
  apiVersion: API_VERSION,
  key: KEY,
  reasons: ["object-updated"],
  attempt: 0,
  counts: true,
  lease: "l-1",
  deadlineMs: 60_000,
  ...fields,
});

/** A key-value store that counts, and breaks where it is told to. */
export function watchedKeyValue(inner: KeyValue) {
  const calls: string[] = [];
  let broken: "no" | "fails" | "hangs" = "no";
  const call = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    calls.push(name);
    if (broken === "fails") throw new Error("KV is down");
    if (broken === "hangs") return new Promise(() => {});
    return work();
  };
  return {
    calls,
    flags: inner.flags,
    get: (key: string) => call("get", () => inner.get(key)),
    set: (key: string, value: string, options: { expireInMs: number }) =>
      call("set", () => inner.set(key, value, options)),
    delete: (key: string) => call("delete", () => inner.delete(key)),
    breakIt(how: "no" | "fails" | "hangs") {
      broken = how;
    },
  };
}

/** Runs of one controller against an API server in memory, on a virtual clock. */
export async function runUnderTest(options: Parameters<typeof documents>[0] = {}) {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const server = createApiServer({ clock });
  await server.applyCrd(crdOf(Document));
  const logger = recordingLogger();
  const kv = watchedKeyValue(createMemoryKeyValue(clock));
  /** What was sent to the API server: `GET /api/…`. */
  const sent: string[] = [];
  /** Called before each request, to answer in the server's place or to change the world under the run. */
  let intercept: ((method: string, path: string) => Promise<Response | undefined>) | undefined;
  const transport = {
    async fetch(path: string, init: KubeRequest = {}) {
      const method = init.method ?? "GET";
      sent.push(`${method} ${path.split("?", 1)[0]}`);
      return (await intercept?.(method, path)) ?? server.transport.fetch(path, init);
    },
  };
  const controller: Controller<unknown, object, Document> = documents(options);
  const deps: RunDeps<unknown, object> = { transport, kv, clock, logger, env: {}, context: {}, secrets: [] };

  /** Straight to the server, past what a test intercepts. */
  async function api<T = Document>(
    method: string,
    path: string,
    body?: unknown,
    type = "application/json",
  ): Promise<T> {
    const init = {
      method,
      headers: { "content-type": type },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const response = await server.transport.fetch(path, init);
    const answer = (await response.json()) as T;
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  return {
    clock,
    server,
    logger,
    kv,
    sent,
    api,
    intercept(by: typeof intercept) {
      intercept = by;
    },
    /** The Document `a`, as it is stored. */
    stored: () => api<Document | undefined>("GET", `${PATH}/a`).catch(() => undefined),
    create: (metadata: object = {}, spec: object = { title: "x" }) =>
      api("POST", PATH, {
        apiVersion: "example.com/v1",
        kind: "Document",
        metadata: { name: "a", namespace: "default", ...metadata },
        spec,
      }),
    remove: () => api<KubeObject>("DELETE", `${PATH}/a`),
    merge: (patch: object) => api("PATCH", `${PATH}/a`, patch, "application/merge-patch+json"),
    run: (fields: Partial<ReconcileRequest> = {}, more: Partial<typeof deps> = {}): Promise<ReconcileAnswer> =>
      runReconcile(controller, requestOf(fields), { ...deps, ...more }),
  };
}

/** A failure record, for a test to change. */
const RECORD = { attempt: 2, firstFailureAt: 5, lastError: "before" };

/** A reconcile that throws this. */
export const throwing = (error: unknown) => ({
  reconcile: () => {
    throw error;
  },
});

/** Runs of a Document that is there and fails, with what KV holds of it. */
export async function failing(options: Parameters<typeof runUnderTest>[0] = {}) {
  const bench = await runUnderTest({ ...throwing(new Error("broken")), ...options });
  const { metadata } = await bench.create();
  const key = keyOf(KEY);
  return {
    ...bench,
    uid: metadata.uid,
    /** What KV holds, unseen by the counting. */
    async kept() {
      const text = await bench.kv.get(key);
      bench.kv.calls.pop();
      return text && JSON.parse(text);
    },
    async keep(fields: object) {
      await bench.kv.set(key, JSON.stringify({ ...RECORD, uid: metadata.uid, ...fields }), { expireInMs: 1e9 });
      bench.kv.calls.length = 0;
    },
  };
}
