import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { connectKube, kubeConfigSource, type NodeTransport } from "../../adapters/runtime/node/kube-config/index.ts";
import { pem } from "../runtime/kube-config/api-server.ts";
import { connectProxy } from "../runtime/kube-config/connect-proxy.ts";
import { createAccount, untilAllowed } from "./gateway/accounts.ts";
import { newNamespace, sharedCluster } from "./support/cluster.ts";
import { eventually } from "./support/eventually.ts";

const cluster = sharedCluster();
const { api } = cluster;
const folder = mkdtempSync(join(tmpdir(), "sluice-credentials-"));
const write = (name: string, content: string) => writeFileSync(join(folder, name), content);

let namespace: string;
let transport: NodeTransport | undefined;
const account = () => ({ namespace, name: "relay" });
const maps = () => `/api/v1/namespaces/${namespace}/configmaps`;

beforeAll(async () => {
  namespace = await newNamespace(api);
  const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list", "watch"] }];
  await createAccount(api, account(), { [namespace]: rules });
  for (const verb of ["list", "watch"]) await untilAllowed(api, account(), { verb, resource: "configmaps", namespace });
});
afterEach(() => transport?.close());
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await api.close();
});

type Parts = { user: object; cluster?: object };

async function connect({ user, cluster: more = {} }: Parts, monotonic?: () => number): Promise<NodeTransport> {
  const path = join(folder, "config");
  write("ca.crt", cluster.ca);
  const { server } = cluster;
  writeFileSync(
    path,
    stringify({
      "current-context": "home",
      clusters: [{ name: "c", cluster: { server, "certificate-authority": "ca.crt", ...more } }],
      users: [{ name: "u", user }],
      contexts: [{ name: "home", context: { cluster: "c", user: "u" } }],
    }),
  );
  transport = await connectKube(kubeConfigSource(path), monotonic && { monotonic });
  return transport;
}

/** Who the API server says we are. */
async function whoAmI(): Promise<string | undefined> {
  const answer = await transport!.fetch("/apis/authentication.k8s.io/v1/selfsubjectreviews", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" }),
  });
  const body = (await answer.json()) as { status?: { userInfo?: { username: string } } };
  return body.status?.userInfo?.username;
}

/** A token of the account that ends with the Secret of this name. */
async function tokenBoundTo(secret: string): Promise<string> {
  const made = await api.create(`/api/v1/namespaces/${namespace}/secrets`, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: secret },
  });
  const boundObjectRef = { apiVersion: "v1", kind: "Secret", name: secret, uid: made.metadata.uid };
  const { status } = await api.create(`/api/v1/namespaces/${namespace}/serviceaccounts/relay/token`, {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: { expirationSeconds: 3_600, boundObjectRef },
  });
  return status.token;
}

describe("a real API server knows", () => {
  test("a client certificate in files", async () => {
    transport = await connectKube(kubeConfigSource(cluster.certificateKubeconfig));
    expect(await whoAmI()).toBeDefined();
    expect(await whoAmI()).not.toContain("anonymous");
  });

  test("the token of a plugin", async () => {
    write(
      "plugin.mjs",
      `import { readFileSync } from "node:fs";
const token = readFileSync(process.env.TOKEN_FILE, "utf8");
console.log(JSON.stringify({ apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status: { token } }));`,
    );
    write("plugin-token", await tokenBoundTo("plugin"));
    const env = [{ name: "TOKEN_FILE", value: join(folder, "plugin-token") }];
    const common = { apiVersion: "client.authentication.k8s.io/v1", interactiveMode: "Never" };
    const exec = { ...common, command: process.execPath, args: [join(folder, "plugin.mjs")], env };
    await connect({ user: { exec } });
    expect(await whoAmI()).toBe(`system:serviceaccount:${namespace}:relay`);
  });

  test("us behind a proxy, by its own name in the certificate", async () => {
    const proxy = await connectProxy();
    const { port } = new URL(cluster.server);
    const behind = {
      server: `https://kubernetes.test:${port}`,
      "tls-server-name": "localhost",
      "proxy-url": proxy.url,
    };
    await connect({ user: { token: await tokenBoundTo("proxied") }, cluster: behind });
    expect(await whoAmI()).toBe(`system:serviceaccount:${namespace}:relay`);
    expect(proxy.asked).toEqual([`kubernetes.test:${port}`]);
    await transport?.close();
    await proxy.close();
  });
});

describe("R9 on a real API server", () => {
  test("a token whose Secret is deleted is a 401, and the renewed one goes on; the open watch does, too", async () => {
    const first = await tokenBoundTo("first");
    write("token", first);
    await connect({ user: { tokenFile: join(folder, "token") } });
    const watch = await transport!.fetch(`${maps()}?watch=1&resourceVersion=0&timeoutSeconds=120`);
    expect(watch.status).toBe(200);
    const reader = watch.body!.pipeThrough(new TextDecoderStream()).getReader();
    let seen = "";
    const until = (text: string) =>
      eventually(`the watch tells of ${text}`, 20_000, async () => {
        if (!seen.includes(text)) seen += (await reader.read()).value ?? "";
        return seen.includes(text);
      });

    await api.delete(`/api/v1/namespaces/${namespace}/secrets/first`);
    const list = async () => {
      const answer = await transport!.fetch(maps());
      await answer.text();
      return answer.status;
    };
    // The API server remembers a token that it knew for 10 s.
    await eventually("the old token is refused", 60_000, async () => (await list()) === 401);
    write("token", await tokenBoundTo("second"));
    expect(await list()).toBe(200);

    await api.create(maps(), { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "after-the-rotation" } });
    await until("after-the-rotation");
    await reader.cancel();
  });

  test("a CA that is put right in its file is trusted within a minute", async () => {
    let now = 0;
    await connect({ user: { token: cluster.token } }, () => now);
    write("ca.crt", pem("server.crt"));
    now = 60_000;
    await expect(transport!.fetch("/version")).rejects.toThrow(TypeError);
    write("ca.crt", cluster.ca);
    now = 120_000;
    const answer = await transport!.fetch("/version");
    await answer.text();
    expect(answer.status).toBe(200);
  });
});
