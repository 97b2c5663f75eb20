import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { connectKube, kubeConfigSource, type NodeTransport } from "../../adapters/runtime/node/kube-config/index.ts";
import { systemClock } from "../../adapters/runtime/system-clock.ts";
import { API_VERSION, type Trigger, type TriggersRequest } from "../../functions/contract/index.ts";
import { type Relay, startRelay } from "../../infra/relay/relay.ts";
import { configMaps, manifestOf, relationOf } from "../relay/support/objects.ts";
import { secret } from "../relay/support/scripted-ingress.ts";
import { pem } from "../runtime/kube-config/api-server.ts";
import { type ConnectProxy, connectProxy } from "../runtime/kube-config/connect-proxy.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { createAuthority } from "./control-plane/certificates.ts";
import type { ClusterAccess } from "./control-plane/kubeconfig.ts";
import { createAccount, untilAllowed } from "./gateway/accounts.ts";
import { newNamespace, ownControlPlane, sharedCluster } from "./support/cluster.ts";
import { eventually } from "./support/eventually.ts";
import { KubeApi } from "./support/kube-api.ts";

let folder: string;
let proxy: ConnectProxy;
let transport: NodeTransport | undefined;
let relay: Relay | undefined;
let triggers: Trigger[];
/** The clock by which credentials age. */
let now: number;

const write = (name: string, content: string) => writeFileSync(join(folder, name), content);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "sluice-relay-rotation-"));
  proxy = await connectProxy();
  [triggers, now] = [[], 0];
});
afterEach(async () => {
  await relay?.stop();
  await transport?.close();
  await proxy.close();
  rmSync(folder, { recursive: true });
});

/** A relay that watches ConfigMaps of a namespace with a token and a CA in files, through the proxy. */
async function start({ server, ca }: ClusterAccess, token: string, namespace: string): Promise<void> {
  write("ca.crt", ca);
  write("token", token);
  const cluster = {
    server: server.replace("127.0.0.1", "kubernetes.test"),
    "tls-server-name": "localhost",
    "certificate-authority": "ca.crt",
    "proxy-url": proxy.url,
  };
  const config = {
    "current-context": "home",
    clusters: [{ name: "c", cluster }],
    users: [{ name: "u", user: { tokenFile: join(folder, "token") } }],
    contexts: [{ name: "home", context: { cluster: "c", user: "u" } }],
  };
  write("config", stringify(config));
  transport = await connectKube(kubeConfigSource(join(folder, "config")), { monotonic: () => now });
  const declared = manifestOf({ docs: [relationOf({ watch: { resource: configMaps, namespaces: [namespace] } })] });
  relay = startRelay({
    cluster: "home",
    transport,
    secrets: [secret],
    clock: systemClock,
    logger: recordingLogger(),
    random: Math.random,
    ingress: {
      async fetch(path, { body }) {
        if (path === "/manifest") return Response.json(declared);
        const sent = JSON.parse(new TextDecoder().decode(body)) as Partial<TriggersRequest>;
        triggers.push(...(sent.triggers ?? []));
        const rest = { nextWakeInMs: null, timer: "platform", revision: "r1", epoch: "e1" };
        const accepted = sent.triggers?.length ?? 0;
        return Response.json({ apiVersion: API_VERSION, accepted, rejected: [], ...rest }, { status: 202 });
      },
    },
  });
  await relay.synced;
}

const told = (name: string) =>
  eventually(`the key of ${name} is triggered`, 60_000, () => triggers.some((trigger) => trigger.name === name));
const unready = (why: RegExp) =>
  eventually(`not ready: ${why}`, 60_000, () => relay?.status().reasons.some((reason) => why.test(reason)));
const relists = () => relay?.status().watches.map((watch) => watch.relists);
const configMap = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });

describe("R9 a relay loses no change", () => {
  test("while its token, bound to a Secret that is deleted, is a 401 until another one is there", async () => {
    const shared = sharedCluster();
    const { api } = shared;
    const namespace = await newNamespace(api);
    const account = { namespace, name: "relay" };
    const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list", "watch"] }];
    await createAccount(api, account, { [namespace]: rules });
    for (const verb of ["list", "watch"]) await untilAllowed(api, account, { verb, resource: "configmaps", namespace });
    const tokenBoundTo = async (name: string): Promise<string> => {
      const made = await api.create(`/api/v1/namespaces/${namespace}/secrets`, { metadata: { name } });
      const boundObjectRef = { apiVersion: "v1", kind: "Secret", name, uid: made.metadata.uid };
      const path = `/api/v1/namespaces/${namespace}/serviceaccounts/relay/token`;
      return (await api.create(path, { spec: { expirationSeconds: 3_600, boundObjectRef } })).status.token;
    };
    const maps = `/api/v1/namespaces/${namespace}/configmaps`;

    await start(shared, await tokenBoundTo("first"), namespace);
    await api.delete(`/api/v1/namespaces/${namespace}/secrets/first`);
    // The API server remembers a token that it knew for 10 s.
    await eventually("the token is refused", 60_000, async () => {
      const answer = await transport!.fetch(maps);
      await answer.text();
      return answer.status === 401;
    });
    await api.create(maps, configMap("while-open"));
    await told("while-open");
    proxy.cut();
    await unready(/401/);
    await api.create(maps, configMap("while-refused"));
    write("token", await tokenBoundTo("second"));
    await told("while-refused");
    await eventually("ready again", 10_000, () => relay?.status().ready);
    expect(relists()).toEqual([0]);
    await api.close();
  });

  test("while its API server shows a certificate of another CA, and its own file has still another one", async () => {
    const plane = await ownControlPlane();
    try {
      const maps = "/api/v1/namespaces/default/configmaps";
      await start(plane, plane.token, "default");
      const authority = createAuthority(mkdtempSync(join(folder, "ca-")));
      const next = authority.issue("next", "/CN=kube-apiserver", "DNS:localhost,IP:127.0.0.1");
      copyFileSync(next.keyPath, join(plane.dir, "apiserver.key"));
      copyFileSync(next.certificatePath, join(plane.dir, "apiserver.crt"));
      const api = new KubeApi({ ...plane, ca: authority.ca });
      // It looks at its files when they change, and once a minute.
      await eventually("the new certificate is shown", 90_000, () => api.get("/readyz"));
      await api.create(maps, configMap("while-open"));
      await told("while-open");

      write("ca.crt", pem("server.crt"));
      now = 60_000;
      proxy.cut();
      await unready(/no answer/);
      await api.create(maps, configMap("while-distrusted"));
      write("ca.crt", authority.ca);
      now = 120_000;
      await told("while-distrusted");
      await eventually("ready again", 10_000, () => relay?.status().ready);
      expect(relists()).toEqual([0]);
      await api.close();
    } finally {
      await relay?.stop();
      await plane.stop();
    }
  });
});
