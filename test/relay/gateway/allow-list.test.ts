import { describe, expect, it } from "vitest";
import { problem } from "../../../functions/contract/index.ts";
import { configMap, gatewayUnderTest, manifestWith, rule, type Sent } from "./gateway-under-test.ts";

/** One request a verb, on ConfigMaps of a namespace; `undefined` where the verb has no such form. */
const REQUESTS = {
  get: (root: string) => ["GET", `${root}/x`, {}],
  list: (root: string) => ["GET", root, {}],
  create: (root: string) => ["POST", `${root}?fieldManager=documents`, { body: configMap("x") }],
  patch: (root: string) => [
    "PATCH",
    `${root}/x?fieldManager=documents`,
    { body: "{}", type: "application/merge-patch+json" },
  ],
  apply: (root: string) => [
    "PATCH",
    `${root}/x?fieldManager=documents`,
    { body: configMap("x"), type: "application/apply-patch+yaml" },
  ],
  "patch of the status": (root: string) => [
    "PATCH",
    `${root}/x/status?fieldManager=documents`,
    { body: "[]", type: "application/json-patch+json" },
  ],
  delete: (root: string) => ["DELETE", `${root}/x`, {}],
} satisfies Record<string, (root: string) => [string, string, Sent]>;
type Request = keyof typeof REQUESTS;
const ALL = Object.keys(REQUESTS) as Request[];

async function passes(rules: ReturnType<typeof rule>[], request: Request, root: string): Promise<boolean> {
  const gateway = gatewayUnderTest({}, { declared: manifestWith({ documents: rules, others: [] }) });
  const [method, path, sent] = REQUESTS[request](root);
  const response = await gateway.send(method, path, sent);
  const passed = gateway.upstream.length > 0;
  if (!passed) expect(response.status).toBe(403);
  return passed;
}

const A = "/api/v1/namespaces/a/configmaps";
const B = "/api/v1/namespaces/b/configmaps";

describe("X2 what a rule allows, and no more", () => {
  it.each<[string, ReturnType<typeof rule>[], Request[]]>([
    ["no rule", [], []],
    ["get", [rule("configmaps", ["get"])], ["get"]],
    ["list", [rule("configmaps", ["list"])], ["list"]],
    ["create", [rule("configmaps", ["create"])], ["create"]],
    ["patch alone is no apply, which may create", [rule("configmaps", ["patch"])], ["patch"]],
    [
      "patch and create, in two rules",
      [rule("configmaps", ["patch"]), rule("configmaps", ["create"])],
      ["create", "patch", "apply"],
    ],
    ["delete", [rule("configmaps", ["delete"])], ["delete"]],
    ["the status alone", [rule("configmaps/status", ["patch"])], ["patch of the status"]],
    ["another kind", [rule("secrets", ["get", "list", "create", "patch", "delete"])], []],
    ["another group's kind of the name", [rule("configmaps", ["get"], { apiGroups: ["example.com"] })], []],
    ["stars are names that nothing has", [rule("*", ["*"]), rule("configmaps", ["*"]), rule("*", ["get"])], []],
    ["a verb that only RBAC knows", [rule("configmaps", ["update", "watch", "deletecollection"])], []],
  ])("%s", async (_, rules, allowed) => {
    for (const request of ALL) expect(await passes(rules, request, A), request).toBe(allowed.includes(request));
  });

  it("a rule with namespaces holds there only, and for no list of all", async () => {
    const rules = [rule("configmaps", ["get", "list", "create", "patch", "delete"], { namespaces: ["a"] })];
    for (const request of ALL) {
      expect(await passes(rules, request, A), request).toBe(request !== "patch of the status");
      expect(await passes(rules, request, B), request).toBe(false);
    }
    expect(await passes(rules, "list", "/api/v1/configmaps")).toBe(false);
    expect(await passes([rule("configmaps", ["list"])], "list", "/api/v1/configmaps")).toBe(true);
  });

  it("what one controller declared is nothing that another may do", async () => {
    const declared = manifestWith({ documents: [rule("configmaps", ["get"])], others: [] });
    const gateway = gatewayUnderTest({}, { declared });
    expect((await gateway.send("GET", `${A}/x`, { controller: "others" })).status).toBe(403);
    expect(gateway.upstream).toEqual([]);
  });

  it("a new manifest holds from then on", async () => {
    const gateway = gatewayUnderTest({}, { declared: manifestWith({ documents: [rule("configmaps", ["get"])] }) });
    expect((await gateway.send("GET", `${A}/x`)).status).toBe(404);
    gateway.gateway.declare(manifestWith({ documents: [] }));
    expect((await gateway.send("GET", `${A}/x`)).status).toBe(403);
  });
});

describe("what the refusal says", () => {
  const messageOf = async (method: string, path: string, sent: Sent = {}) => {
    const gateway = gatewayUnderTest({}, { declared: manifestWith({ documents: [rule("configmaps", ["get"])] }) });
    const response = await gateway.send(method, path, sent);
    expect(response.status).toBe(403);
    return problem.parse(await response.json()).error.message;
  };

  it("the line to add to access", async () => {
    expect(await messageOf("DELETE", `${A}/x`)).toBe(
      "documents did not declare that it may delete configmaps in the namespace a: " +
        'add { resource: ConfigMap, verbs: ["delete"] } to its access',
    );
    expect(await messageOf("GET", "/apis/apps/v1/deployments")).toBe(
      "documents did not declare that it may list deployments.apps: " +
        'add { resource: Deployment, verbs: ["list"] } to its access',
    );
    expect(await messageOf("GET", "/apis/example.com/v1/shelves/x")).toBe(
      'documents did not declare that it may get shelves.example.com: add { resource: shelves, verbs: ["get"] } to its access',
    );
    expect(await messageOf(...REQUESTS.apply(A))).toMatch(/may create and patch .* verbs: \["create", "patch"\]/);
  });

  it("that no line allows the status of another kind", async () => {
    expect(await messageOf(...REQUESTS["patch of the status"](A))).toBe(
      "documents did not declare that it may patch configmaps/status in the namespace a: " +
        "a controller writes the status of its own kind only",
    );
  });
});

describe("the field manager is the controller's own", () => {
  it.each([
    ["none", ""],
    ["another's", "?fieldManager=kubectl"],
    ["an empty one", "?fieldManager="],
  ])("%s is refused", async (_, query) => {
    const gateway = gatewayUnderTest();
    const sent = { body: configMap("x") };
    const response = await gateway.send("POST", `${A}${query}`, sent);
    expect(response.status).toBe(400);
    expect(problem.parse(await response.json()).error.field).toBe("query.fieldManager");
    expect(gateway.upstream).toEqual([]);
  });
});

describe("X2 the relay's own Secrets and Leases", () => {
  const own = { ownNamespace: "sluice-system" };
  const leases = "/apis/coordination.k8s.io/v1";

  it.each([
    ["a Secret by its name", "/api/v1/namespaces/sluice-system/secrets/sluice"],
    ["the Secrets beside it", "/api/v1/namespaces/sluice-system/secrets"],
    ["a Lease by its name", `${leases}/namespaces/sluice-system/leases/sluice`],
    ["the Leases beside it", `${leases}/namespaces/sluice-system/leases`],
    ["a Secret without its namespace", "/api/v1/secrets/sluice"],
  ])("%s is out of reach, though declared and allowed by RBAC", async (_, path) => {
    const gateway = gatewayUnderTest(own);
    const response = await gateway.send("GET", path);
    expect(response.status).toBe(403);
    expect(problem.parse(await response.json()).error.code).toBe("relay-own");
    expect(gateway.upstream).toEqual([]);
  });

  it.each([
    ["", "metadata.namespace!=sluice-system"],
    ["?fieldSelector=metadata.name%3Da", "metadata.namespace!=sluice-system,metadata.name=a"],
    ["?fieldSelector=metadata.name%3Da%5C", "metadata.namespace!=sluice-system,metadata.name=a\\"],
  ])("a list of all namespaces with %j leaves them out", async (query, selector) => {
    const gateway = gatewayUnderTest(own);
    await gateway.send("GET", `/api/v1/secrets${query}`);
    const [sent] = gateway.upstream;
    expect(new URL(sent!.path, "https://api.test").searchParams.get("fieldSelector")).toBe(selector);
  });

  it("what is there is not in the list", async () => {
    const gateway = gatewayUnderTest(own);
    for (const namespace of ["sluice-system", "default"]) {
      const send = (path: string, body: object) =>
        gateway.server.transport.fetch(path, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ apiVersion: "v1", ...body }),
        });
      await send("/api/v1/namespaces", { kind: "Namespace", metadata: { name: namespace } });
      await send(`/api/v1/namespaces/${namespace}/secrets`, { kind: "Secret", metadata: { name: "a" } });
    }
    const list = (await (await gateway.send("GET", "/api/v1/secrets")).json()) as {
      items: { metadata: { namespace: string } }[];
    };
    expect(list.items.map(({ metadata }) => metadata.namespace)).toEqual(["default"]);
  });

  it("other kinds in that namespace, and Secrets elsewhere, are as declared", async () => {
    const gateway = gatewayUnderTest(own);
    expect((await gateway.send("GET", "/api/v1/namespaces/sluice-system/configmaps/a")).status).toBe(404);
    expect((await gateway.send("GET", "/api/v1/namespaces/default/secrets/a")).status).toBe(404);
    expect(gateway.upstream.map(({ path }) => path)).toEqual([
      "/api/v1/namespaces/sluice-system/configmaps/a",
      "/api/v1/namespaces/default/secrets/a",
    ]);
  });
});
