import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { type ApiServer, createApiServer } from "../../adapters/testing/index.ts";
import { widgetCrd } from "./cases/crds.ts";
import { CRDS } from "./cases/samples.ts";
import { setUp } from "./set-up.ts";

let server: ApiServer;
beforeEach(async () => {
  server = createApiServer();
  await setUp(server.transport);
});

const NS = "namespaces/default";
const metadata = { name: "a", labels: { a: "b" }, finalizers: ["example.com/f"] };
const ports = [{ name: "http", port: 80, containerPort: 80 }];

/** One right object of each kind, with the path of its collection. */
const samples: [string, object][] = [
  [`/api/v1/${NS}/configmaps`, { apiVersion: "v1", kind: "ConfigMap", metadata, data: { k: "v" } }],
  [
    `/api/v1/${NS}/secrets`,
    { apiVersion: "v1", kind: "Secret", metadata, stringData: { k: "v" }, type: "kubernetes.io/tls" },
  ],
  [`/api/v1/${NS}/services`, { apiVersion: "v1", kind: "Service", metadata, spec: { ports, selector: { a: "b" } } }],
  [`/api/v1/${NS}/events`, { apiVersion: "v1", kind: "Event", metadata, involvedObject: { namespace: "default" } }],
  ["/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata, spec: {}, status: { phase: "x" } }],
  [
    `/apis/apps/v1/${NS}/deployments`,
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata,
      spec: {
        replicas: 1,
        strategy: { rollingUpdate: { maxSurge: 1 } },
        selector: { matchLabels: { a: "b" } },
        template: {
          metadata: { labels: { a: "b" } },
          spec: {
            volumes: [{ name: "v", secret: { secretName: "s" } }],
            containers: [{ name: "c", image: "i", ports, env: [{ name: "E" }], resources: { limits: { cpu: "1" } } }],
          },
        },
      },
    },
  ],
  [
    `/apis/networking.k8s.io/v1/${NS}/networkpolicies`,
    {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata,
      spec: { podSelector: {}, ingress: [{ ports }] },
    },
  ],
  [
    `/apis/coordination.k8s.io/v1/${NS}/leases`,
    { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec: { leaseTransitions: 1 } },
  ],
  [
    `/apis/kube-api.example.com/v1/${NS}/widgets`,
    {
      apiVersion: "kube-api.example.com/v1",
      kind: "Widget",
      metadata,
      spec: { title: "t", tags: ["a"], ports: [{ name: "p" }], options: { level: "x" }, replicas: 1, port: 1 },
      status: { conditions: [{ type: "A" }] },
    },
  ],
  [
    CRDS,
    { ...widgetCrd, metadata: { name: "widgets.x.example.com" }, spec: { ...widgetCrd.spec, group: "x.example.com" } },
  ],
];

const anything = fc.oneof(
  fc.constantFrom(null, "", "a", 0, -1, 1.5, true, [], {}, [null], { a: null }, { "": 1 }, [[]]),
  fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text) as unknown),
);

function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))];
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

/** A right object with something else in one or two of its places. */
const request = fc.constantFrom(...samples).chain(([collection, object]) => {
  const change = fc.tuple(fc.constantFrom(...pathsOf(object)), anything);
  return fc.record({
    collection: fc.constant(collection),
    object: fc.constant(object),
    body: fc.array(change, { maxLength: 2 }).map((changes) => {
      const [first, second] = changes;
      const once = first ? replaced(object, ...first) : object;
      return second && !first![0].every((key, index) => second[0][index] === key) ? replaced(once, ...second) : once;
    }),
    way: fc.constantFrom("create", "update", "apply", "merge", "patch", "status", "scale", "delete"),
  });
});

const JSON_TYPE = "application/json";
const MERGE = "application/merge-patch+json";

function requestOf(way: string, collection: string, object: object, body: unknown) {
  const { name } = (object as { metadata: { name: string } }).metadata;
  const one = `${collection}/${name}`;
  const patch = [{ op: "add", path: "/spec", value: body }, body];
  const ways: Record<string, [string, string, string, unknown]> = {
    create: ["POST", collection, JSON_TYPE, body],
    update: ["PUT", one, JSON_TYPE, body],
    apply: ["PATCH", `${one}?fieldManager=m&force=true`, "application/apply-patch+yaml", body],
    merge: ["PATCH", one, MERGE, body],
    patch: ["PATCH", one, "application/json-patch+json", patch],
    status: ["PATCH", `${one}/status`, MERGE, body],
    scale: ["PATCH", `${one}/scale`, MERGE, body],
    delete: ["DELETE", one, JSON_TYPE, body],
  };
  const [method, path, type, sent] = ways[way]!;
  return { path, init: { method, headers: { "content-type": type }, body: JSON.stringify(sent) } };
}

it("whatever is sent, the answer is no mistake of the server's own", async () => {
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(request, async ({ collection, object, body, way }) => {
      const { path, init } = requestOf(way, collection, object, body);
      const response = await server.transport.fetch(path, init);
      seen.add(response.status);
      const { reason, message } = (await response.json()) as { reason?: string; message?: string };
      const own = reason === "InternalError" && !message?.includes("the spec replicas field");
      expect(own, message).toBe(false);
    }),
    { numRuns: 4_000 },
  );
  expect([...seen].sort()).toEqual(expect.arrayContaining([200, 201, 400, 404, 409, 422]));
});
