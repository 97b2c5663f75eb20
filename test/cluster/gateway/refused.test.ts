import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { NodeTransport } from "../../../adapters/runtime/node/kube-config/index.ts";
import type { RbacRule } from "../../../functions/contract/index.ts";
import { newNamespace, sharedCluster } from "../support/cluster.ts";
import type { KubeObject } from "../support/kube-api.ts";
import { allowEverywhere, allowImpersonation, connectAs, createAccount, untilAllowed } from "./accounts.ts";
import { type Sent, type ServedGateway, serveGateway } from "./served-gateway.ts";

/** The functions' account may do everything, so that only the gateway stands between a function and the cluster. */
const cluster = sharedCluster();
const { api } = cluster;
const everything: RbacRule = { apiGroups: ["*"], resources: ["*"], verbs: ["*"] };
const VALUE = "out of reach";

let transport: NodeTransport;
let gateway: ServedGateway;
let namespace: string;
let own: string;
let maps: string;

beforeAll(async () => {
  namespace = await newNamespace(api);
  own = await newNamespace(api);
  maps = `/api/v1/namespaces/${namespace}/configmaps`;
  const relay = await createAccount(api, { namespace: own, name: "relay" });
  const functions = await createAccount(api, { namespace: await newNamespace(api), name: "functions" });
  await allowEverywhere(api, functions, [everything]);
  await allowImpersonation(api, relay, [functions]);
  await untilAllowed(api, functions, { verb: "delete", resource: "secrets", namespace: own });
  await untilAllowed(api, relay, { verb: "impersonate", resource: "serviceaccounts", ...functions });
  transport = await connectAs(cluster, relay);
  gateway = await serveGateway({ transport, serviceAccount: functions, ownNamespace: own });

  const stringData = { value: VALUE };
  for (const where of [namespace, own])
    await api.create(`/api/v1/namespaces/${where}/secrets`, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "secret" },
      stringData,
    });
  const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "leader" }, spec: {} };
  await api.create(`/apis/coordination.k8s.io/v1/namespaces/${own}/leases`, lease);
  await api.create(maps, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "map" }, data: { text: "one" } });
});
afterAll(async () => {
  await gateway?.close();
  await transport?.close();
  await api.close();
});

const onMaps: RbacRule = {
  apiGroups: [""],
  resources: ["configmaps"],
  verbs: ["get", "list", "create", "patch", "delete"],
};
const onOwn: RbacRule = {
  apiGroups: ["", "coordination.k8s.io"],
  resources: ["secrets", "leases"],
  verbs: ["get", "list", "create", "patch", "delete"],
};

/** All that a refused request could have changed. */
async function state(): Promise<KubeObject[]> {
  const leases = `/apis/coordination.k8s.io/v1/namespaces/${own}/leases`;
  const inside = (where: string) => [`/api/v1/namespaces/${where}/secrets`, `/api/v1/namespaces/${where}/configmaps`];
  const lists = await Promise.all([...inside(namespace), ...inside(own), leases].map((path) => api.get(path)));
  return lists.flatMap((list) => list.items);
}

/** Sends what must be refused, and makes sure that it was. */
async function refused(method: string, path: string, sent: Sent = {}) {
  const before = await state();
  const answer = await gateway.send(method, path, sent);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
  expect(answer.text).not.toContain(Buffer.from(VALUE).toString("base64"));
  expect(answer.text).not.toContain('"kind":"Status"');
  expect(await state()).toEqual(before);
  return answer;
}

describe("X2 tricks with the path, signed by a function that means them", () => {
  const secret = "{ns}/secrets/secret";
  const tricks: [string, string, string?][] = [
    ["what was not declared", `/api/v1/namespaces/${secret}`],
    ["dots", "{maps}/../secrets/secret"],
    ["dots behind a name", "{maps}/map/../../secrets/secret"],
    ["dots to another API", "{maps}/../../../../v1/namespaces/{ns}/secrets/secret"],
    ["encoded dots", "{maps}/%2e%2e/secrets/secret"],
    ["half encoded dots", "{maps}/.%2e/secrets/secret"],
    ["an encoded slash", "{maps}%2f..%2fsecrets/secret"],
    ["an encoded slash in the namespace", "/api/v1/namespaces/{ns}%2fsecrets%2fsecret"],
    ["twice encoded dots", "{maps}/%252e%252e/secrets/secret"],
    ["a backslash", "{maps}\\..\\secrets\\secret"],
    ["an encoded backslash", "{maps}/..%5csecrets/secret"],
    ["an encoded letter", "/api/v1/namespaces/{ns}/%73ecrets/secret"],
    ["a double slash", "//api/v1/namespaces/{ns}/secrets/secret"],
    ["a double slash within", "/api/v1//namespaces/{ns}/configmaps/map"],
    ["a slash at the end", "{maps}/map/"],
    ["another host", "//127.0.0.1/api/v1/namespaces/{ns}/secrets/secret"],
    ["an absolute URL", "http://127.0.0.1:6443{maps}/map"],
    ["an absolute URL of something else", "http://127.0.0.1:6443/api/v1/namespaces/{ns}/secrets/secret"],
    ["a semicolon", "{maps};/../secrets/secret"],
    ["a zero", "{maps}/map%00"],
    ["a line break", "{maps}/map%0d%0aimpersonate-user:%20admin"],
    ["a plus", "/api/v1/namespaces/{ns}/config+maps/map"],
    ["capital letters", "/API/V1/namespaces/{ns}/configmaps/map"],
    ["a namespace in capital letters", "/api/v1/namespaces/{NS}/configmaps/map"],
    ["another version", "/api/v2/namespaces/{ns}/configmaps/map"],
    ["the core group among the groups", "/apis//v1/namespaces/{ns}/configmaps/map"],
    ["the old form of a watch", "/api/v1/watch/namespaces/{ns}/configmaps"],
    ["the old form of a proxy", "/api/v1/proxy/namespaces/{ns}/services/a"],
    ["a proxy", "/api/v1/namespaces/{ns}/services/a/proxy/"],
    ["exec", "/api/v1/namespaces/{ns}/pods/a/exec?command=sh", "POST"],
    ["a token", "/api/v1/namespaces/{ns}/serviceaccounts/default/token", "POST"],
    ["finalizers", "{maps}/map/finalizers", "PATCH"],
    ["discovery", "/api"],
    ["discovery of a group", "/apis/apps/v1"],
    ["OpenAPI", "/openapi/v2"],
    ["metrics", "/metrics"],
    ["health", "/healthz"],
    ["the relay's own door", "/manifest"],
  ];

  test.each(tricks)("%s: %s", async (_, path, method = "GET") => {
    gateway.declare({ documents: [onMaps] });
    const written = path
      .replaceAll("{maps}", maps)
      .replaceAll("{ns}", namespace)
      .replaceAll("{NS}", namespace.toUpperCase());
    await refused(method, written);
  });

  test("a path whose cleaned-up form is signed and allowed reads that and nothing else", async () => {
    gateway.declare({ documents: [onMaps] });
    const answer = await gateway.send("GET", `${maps}/../configmaps/map`, { signed: { path: `${maps}/map` } });
    expect(answer).toMatchObject({ status: 200, body: { kind: "ConfigMap", metadata: { name: "map" } } });
  });
});

describe("X2 headers, query parameters, verbs", () => {
  const create = (name: string): Sent => ({
    body: JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } }),
  });

  test.each<[string, string, string, Sent]>([
    ["impersonating an administrator", "GET", "{maps}/map", { headers: { "impersonate-user": "admin" } }],
    ["impersonating a group", "GET", "{maps}/map", { headers: { "impersonate-group": "system:masters" } }],
    ["impersonating by id", "GET", "{maps}/map", { headers: { "impersonate-uid": "1" } }],
    ["impersonating with more", "GET", "{maps}/map", { headers: { "impersonate-extra-scopes": "all" } }],
    ["a user of a proxy", "GET", "{maps}/map", { headers: { "x-remote-user": "admin" } }],
    ["a method in a header", "GET", "{maps}/map", { headers: { "x-http-method-override": "DELETE" } }],
    ["another such header", "POST", "{maps}", { headers: { "x-method-override": "DELETE" }, ...create("a") }],
    ["a third such header", "POST", "{maps}", { headers: { "x-http-method": "DELETE" }, ...create("a") }],
    ["a method in a parameter", "POST", "{maps}?fieldManager=documents&_method=DELETE", create("a")],
    ["a group of a proxy", "GET", "{maps}/map", { headers: { "x-remote-group": "system:masters" } }],
    ["a path in a header", "GET", "{maps}/map", { headers: { "x-original-url": "/api/v1/secrets" } }],
    ["an upgrade", "GET", "{maps}/map", { headers: { connection: "upgrade", upgrade: "SPDY/3.1" } }],
    ["a watch", "GET", "{maps}?watch=true", {}],
    ["a watch, written otherwise", "GET", "{maps}?%77%61tch=1", {}],
    ["an old version", "GET", "{maps}?resourceVersion=0", {}],
    ["a parameter twice", "GET", "{maps}?limit=1&limit=500", {}],
    ["another field manager", "POST", "{maps}?fieldManager=kubectl", create("a")],
    ["no field manager", "POST", "{maps}", create("a")],
    ["two field managers", "POST", "{maps}?fieldManager=documents&fieldManager=kubectl", create("a")],
    ["force without an apply", "POST", "{maps}?fieldManager=documents&force=true", create("a")],
    ["a parameter of nobody's", "GET", "{maps}?as=admin", {}],
    ["a parameter in capital letters", "GET", "{maps}?LIMIT=1", {}],
    ["a semicolon between parameters", "GET", "{maps}?limit=1;watch=true", {}],
    ["orphans", "DELETE", "{maps}/map?propagationPolicy=Orphan&orphanDependents=true", {}],
    ["no grace", "DELETE", "{maps}/map?gracePeriodSeconds=0", {}],
    ["a collection", "DELETE", "{maps}", {}],
    ["an update", "PUT", "{maps}/map", create("map")],
    ["a method of its own", "PURGE", "{maps}/map", {}],
    ["protobuf", "POST", "{maps}?fieldManager=documents", { body: "k8s", type: "application/vnd.kubernetes.protobuf" }],
    [
      "a strategic merge patch",
      "PATCH",
      "{maps}/map?fieldManager=documents",
      { body: "{}", type: "application/strategic-merge-patch+json" },
    ],
  ])("%s: %s %s", async (_, method, path, sent) => {
    gateway.declare({ documents: [onMaps] });
    await refused(method, path.replaceAll("{maps}", maps), sent);
  });

  test("credentials and an Accept of the client's go nowhere", async () => {
    gateway.declare({ documents: [onMaps] });
    const headers = { authorization: "Bearer nobody", accept: "application/vnd.kubernetes.protobuf" };
    const answer = await gateway.send("GET", `${maps}/map`, { headers });
    expect(answer).toMatchObject({ status: 200, body: { metadata: { name: "map" } } });
  });

  test("an object of another kind or namespace than its path's is refused by the API server", async () => {
    gateway.declare({ documents: [onMaps] });
    const objects = [
      { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } },
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: own } },
    ];
    for (const object of objects) {
      const before = await state();
      const sent = { body: JSON.stringify(object) };
      expect((await gateway.send("POST", `${maps}?fieldManager=documents`, sent)).status).toBe(400);
      expect(await state()).toEqual(before);
    }
  });
});

describe("X2 the relay's own Secret and Lease, declared and allowed by RBAC", () => {
  const patch: Sent = { body: "{}", type: "application/merge-patch+json" };
  const kindOf = (apiVersion: string, kind: string) => JSON.stringify({ apiVersion, kind, metadata: { name: "new" } });

  test.each<[string, string, Sent]>([
    ["GET", "/api/v1/namespaces/{own}/secrets/secret", {}],
    ["GET", "/api/v1/namespaces/{own}/secrets", {}],
    ["PATCH", "/api/v1/namespaces/{own}/secrets/secret?fieldManager=documents", patch],
    ["DELETE", "/api/v1/namespaces/{own}/secrets/secret", {}],
    ["POST", "/api/v1/namespaces/{own}/secrets?fieldManager=documents", { body: kindOf("v1", "Secret") }],
    ["GET", "/apis/coordination.k8s.io/v1/namespaces/{own}/leases/leader", {}],
    ["PATCH", "/apis/coordination.k8s.io/v1/namespaces/{own}/leases/leader?fieldManager=documents", patch],
    ["DELETE", "/apis/coordination.k8s.io/v1/namespaces/{own}/leases/leader", {}],
    ["GET", "/apis/coordination.k8s.io/v1/namespaces/{own}/leases", {}],
    [
      "POST",
      "/apis/coordination.k8s.io/v1/namespaces/{own}/leases?fieldManager=documents",
      { body: kindOf("coordination.k8s.io/v1", "Lease") },
    ],
  ])("%s %s", async (method, path, sent) => {
    gateway.declare({ documents: [onOwn] });
    const answer = await refused(method, path.replace("{own}", own), sent);
    expect(answer.body.error.code).toBe("relay-own");
  });

  test.each([
    "/api/v1/secrets",
    "/api/v1/secrets?limit=1",
    "/api/v1/secrets?fieldSelector=metadata.name%3Dsecret",
    "/api/v1/secrets?fieldSelector=metadata.name%3Dsecret%5C",
    "/apis/coordination.k8s.io/v1/leases",
  ])("a list of all namespaces has the others' only: %s", async (path) => {
    gateway.declare({ documents: [onOwn] });
    const found: string[] = [];
    let page = path;
    for (;;) {
      const { status, body } = await gateway.send("GET", page);
      if (status !== 200) break;
      found.push(...body.items.map((item: KubeObject) => item.metadata.namespace));
      if (!body.metadata.continue) break;
      page = `${path}&continue=${body.metadata.continue}`;
    }
    expect(found).not.toContain(own);
    if (/secrets(\?limit=1|\?fieldSelector=[^%]*%3Dsecret)?$/.test(path)) expect(found).toContain(namespace);
  });
});
