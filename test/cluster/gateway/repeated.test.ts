import { afterAll, beforeAll, expect, test } from "vitest";
import type { NodeTransport } from "../../../adapters/runtime/node/kube-config/index.ts";
import { GATEWAY_HEADERS } from "../../../functions/contract/index.ts";
import { newNamespace, sharedCluster } from "../support/cluster.ts";
import { eventually } from "../support/eventually.ts";
import { allowImpersonation, connectAs, createAccount, untilAllowed } from "./accounts.ts";
import { type Sent, type ServedGateway, serveGateway } from "./served-gateway.ts";

const cluster = sharedCluster();
const { api } = cluster;
let transport: NodeTransport;
let gateway: ServedGateway;
let restart: () => Promise<void>;
let maps: string;

beforeAll(async () => {
  const namespace = await newNamespace(api);
  maps = `/api/v1/namespaces/${namespace}/configmaps`;
  const rule = { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "create", "patch", "delete"] };
  const serviceAccount = await createAccount(api, { namespace, name: "functions" }, { [namespace]: [rule] });
  const relay = await createAccount(api, { namespace, name: "relay" });
  await allowImpersonation(api, relay, [serviceAccount]);
  await untilAllowed(api, serviceAccount, { verb: "delete", resource: "configmaps", namespace });
  await untilAllowed(api, relay, { verb: "impersonate", resource: "serviceaccounts", ...serviceAccount });
  transport = await connectAs(cluster, relay);
  restart = async () => {
    await gateway?.close();
    gateway = await serveGateway({ transport, serviceAccount });
    gateway.declare({ documents: [rule] });
  };
  await restart();
});
afterAll(async () => {
  await gateway?.close();
  await transport?.close();
  await api.close();
});

/** A write that would show, if it were done twice. */
const write = (name: string): Sent => ({
  body: JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: `${name}-` } }),
});
const count = async (name: string): Promise<number> =>
  (await api.get(maps)).items.filter(({ metadata }: { metadata: { name: string } }) => metadata.name.startsWith(name))
    .length;
const send = (sent: Sent) => gateway.send("POST", `${maps}?fieldManager=documents`, sent);

test.each<[string, Sent, number]>([
  ["forged", { secret: `whsec_${Buffer.alloc(32, 6).toString("base64")}` }, 401],
  ["signed for another path", { signed: { path: "/api/v1/namespaces" } }, 401],
  ["signed for another method", { signed: { method: "GET" } }, 401],
  ["signed for another controller", { signed: { controller: "other" } }, 401],
  ["signed for another cluster", { signed: { cluster: "elsewhere" } }, 401],
  ["signed for another body", { signed: { body: new Uint8Array() } }, 401],
  ["signed for another type", { signed: { contentType: "application/yaml" } }, 401],
  ["signed with another deadline", { headers: { [GATEWAY_HEADERS.deadlineMs]: "60000" } }, 401],
  ["signed at another time", { headers: { [GATEWAY_HEADERS.sentMs]: String(Date.now() + 1) } }, 401],
  ["signed under another id", { headers: { "webhook-id": "another" } }, 401],
  ["not signed", { headers: { "webhook-signature": "" } }, 401],
  ["stale", { skewMs: -301_000 }, 401],
  ["early", { skewMs: 302_000 }, 401],
  ["sent before the relay started", { skewMs: -60_000 }, 401],
  ["late", { remainingMs: 0 }, 408],
])("X1 S5 a write that is %s changes nothing", async (name, sent, status) => {
  const marked = name.replaceAll(" ", "-");
  expect((await send({ ...write(marked), ...sent })).status).toBe(status);
  expect(await count(marked)).toBe(0);
});

test("X1 a repeated write is done once", async () => {
  const sent = { ...write("repeated"), id: "one-id" };
  expect((await send(sent)).status).toBe(201);
  expect((await send(sent)).status).toBe(401);
  expect((await send({ ...sent, skewMs: 1_000 })).status).toBe(401);
  expect(await count("repeated")).toBe(1);
});

test("X1 one that is repeated to a relay which was started again meanwhile is done once, too", async () => {
  const sentAt = Date.now();
  const sent = { ...write("restarted"), id: "another-id" };
  expect((await send(sent)).status).toBe(201);
  await eventually("a process could have started", 1_000, () => Date.now() > sentAt + 50);
  await restart();
  expect((await send({ ...sent, skewMs: sentAt - Date.now() })).status).toBe(401);
  expect(await count("restarted")).toBe(1);
});
