import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiServer, createApiServer, type PolicyRule } from "sluice/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeKubeconfig } from "../../examples/lab/cluster.ts";
import { runLab } from "./lab-process.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-lab-rights-"));
const ALL = ["get", "list", "watch", "create", "update", "patch", "delete"];
/** All that the lab needs, but for one right. */
const without = (verb: string, resource: string): PolicyRule[] =>
  [
    ...["namespaces", "configmaps", "secrets"].map((name) => ({ apiGroups: [""], resources: [name] })),
    { apiGroups: ["apiextensions.k8s.io"], resources: ["customresourcedefinitions"] },
    ...["sites", "sites/status"].map((name) => ({ apiGroups: ["lab.sluice.dev"], resources: [name] })),
  ].map((rule) => ({ ...rule, verbs: ALL.filter((each) => !(rule.resources.includes(resource) && each === verb)) }));

const MISSING = [
  ["list", "sites"],
  ["watch", "configmaps"],
  ["get", "secrets"],
  ["patch", "sites/status"],
  ["create", "namespaces"],
  ["delete", "namespaces"],
  ["delete", "customresourcedefinitions"],
] as const;
const userOf = (verb: string, resource: string) => `no-${verb}-${resource.replace("/", "-")}`;

let server: ApiServer;
let listening: Awaited<ReturnType<ApiServer["listen"]>>;
beforeAll(async () => {
  const users = MISSING.map(([verb, resource]) => [userOf(verb, resource), without(verb, resource)] as const);
  server = createApiServer({
    tokens: Object.fromEntries(users.map(([user]) => [user, user])),
    rules: Object.fromEntries(users),
  });
  listening = await server.listen();
});
afterAll(async () => {
  await listening.close();
  rmSync(folder, { recursive: true, force: true });
});

async function runAs(token: string) {
  const kubeconfig = writeKubeconfig(folder, token, listening.url, token);
  return runLab(["--kubeconfig", kubeconfig, "--json"]);
}

async function names(path: string): Promise<string[]> {
  const answer = (await (await server.transport.fetch(path)).json()) as { items: { metadata: { name: string } }[] };
  return answer.items.map(({ metadata }) => metadata.name).filter((name) => /^sluice-lab-|^sites\.lab/.test(name));
}

const left = async () => [
  ...(await names("/api/v1/namespaces")),
  ...(await names("/apis/apiextensions.k8s.io/v1/customresourcedefinitions")),
];

test.each(MISSING.slice(0, 5))("a missing right to %s %s is named, and nothing is left", async (verb, resource) => {
  const { code, stdout, stderr } = await runAs(userOf(verb, resource));
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(new RegExp(`^error: .*403 .*cannot ${verb} resource "${resource}" in API group .*\\n$`));
  expect(await left()).toEqual([]);
});

test("a token that the server does not know is a wrong kubeconfig: a 2 that names the server", async () => {
  const { code, stderr } = await runAs("nobody");
  expect(code).toBe(2);
  expect(stderr).toContain(`error: --kubeconfig: ${listening.url} refuses its credentials: 401 Unauthorized\n`);
});

test("a CRD that may not be deleted is named, and makes it a 1 though every claim holds", async () => {
  const { code, stdout, stderr } = await runAs("no-delete-customresourcedefinitions");
  expect(code).toBe(1);
  expect(JSON.parse(stdout).claims).toHaveLength(7);
  expect(stderr).toMatch(/^not removed: CRD sites\.lab\.sluice\.dev: .*cannot delete resource.*\n$/);
  expect(await left()).toEqual(["sites.lab.sluice.dev"]);
  await server.transport.fetch(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/sites.lab.sluice.dev`, {
    method: "DELETE",
  });
});

test("a namespace that may not be deleted is named, and the CRD is removed", async () => {
  const { code, stderr } = await runAs("no-delete-namespaces");
  expect(code).toBe(1);
  expect(stderr).toMatch(/^not removed: namespace sluice-lab-[0-9a-f]+: .*cannot delete resource "namespaces".*\n$/);
  expect(await left()).toEqual([expect.stringMatching(/^sluice-lab-/)]);
});
