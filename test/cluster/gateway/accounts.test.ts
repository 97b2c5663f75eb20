import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { NodeTransport } from "../../../adapters/runtime/node/kube-config/index.ts";
import { createOwnUser, refuseOwnAccount } from "../../../infra/relay/gateway/own-user.ts";
import { recordingLogger } from "../../support/recording-logger.ts";
import { newNamespace, sharedCluster } from "../support/cluster.ts";
import { type Account, allowImpersonation, connectAs, createAccount, untilAllowed } from "./accounts.ts";
import { type ServedGateway, serveGateway } from "./served-gateway.ts";

const cluster = sharedCluster();
const { api } = cluster;
const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "create"] }];
const mapsIn = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;

let transport: NodeTransport;
let relay: Account;
/** By controller, where its account has a Role; `others` have the account for all. */
let namespaces: { documents: string; others: string };
let gateway: ServedGateway;

beforeAll(async () => {
  namespaces = { documents: await newNamespace(api), others: await newNamespace(api) };
  const functions = await newNamespace(api);
  relay = await createAccount(api, { namespace: await newNamespace(api), name: "relay" });
  const accounts = {
    documents: await createAccount(api, { namespace: functions, name: "documents" }, { [namespaces.documents]: rules }),
    others: await createAccount(api, { namespace: functions, name: "all" }, { [namespaces.others]: rules }),
  };
  await allowImpersonation(api, relay, Object.values(accounts));
  for (const controller of ["documents", "others"] as const) {
    const { namespace, name } = accounts[controller];
    await untilAllowed(api, relay, { verb: "impersonate", resource: "serviceaccounts", namespace, name });
    for (const verb of ["get", "create"])
      await untilAllowed(api, accounts[controller], {
        verb,
        resource: "configmaps",
        namespace: namespaces[controller],
      });
  }
  transport = await connectAs(cluster, relay);
  gateway = await serveGateway({
    transport,
    serviceAccount: accounts.others,
    serviceAccounts: { documents: accounts.documents },
    ownUser: createOwnUser(transport, recordingLogger()),
  });
  gateway.declare({ documents: rules, others: rules });
});
afterAll(async () => {
  await gateway?.close();
  await transport?.close();
  await api.close();
});

describe("X2 a service account per controller", () => {
  test.each([
    ["documents", "documents", 201],
    ["documents", "others", 403],
    ["others", "others", 201],
    ["others", "documents", 403],
  ] as const)("%s in the namespace of %s: %i", async (controller, where, status) => {
    const body = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: "a-" } });
    const path = `${mapsIn(namespaces[where])}?fieldManager=${controller}`;
    const answer = await gateway.send("POST", path, { controller, body });
    expect(answer.status, answer.text).toBe(status);
    if (status === 403) {
      expect(answer.body).toMatchObject({ kind: "Status", apiVersion: "v1", reason: "Forbidden" });
      const name = controller === "documents" ? "documents" : "all";
      expect(answer.body.message).toContain(`:${name}" cannot create resource "configmaps"`);
    }
  });
});

describe("X2 who the relay is", () => {
  test("the API server tells an account without any right of its own", async () => {
    const ownUser = createOwnUser(transport, recordingLogger());
    expect(await ownUser()).toBe(`system:serviceaccount:${relay.namespace}:relay`);
  });

  test("it is refused as the functions' account, at the start and at the gateway", async () => {
    const accounts = { serviceAccount: { namespace: "a", name: "b" }, serviceAccounts: { documents: relay } };
    await expect(refuseOwnAccount(accounts, transport, recordingLogger())).rejects.toThrow(TypeError);
    const ownUser = createOwnUser(transport, recordingLogger());
    const itself = await serveGateway({ transport, serviceAccount: relay, ownUser });
    itself.declare({ documents: rules });
    const answer = await itself.send("GET", `${mapsIn(namespaces.documents)}/a`);
    await itself.close();
    expect([answer.status, answer.body.error.code]).toEqual([403, "own-account"]);
  });
});

test("what the API server warns of reaches the functions", async () => {
  const body = JSON.stringify({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { generateName: "a-", unheardOf: 1 },
  });
  const path = `${mapsIn(namespaces.documents)}?fieldManager=documents`;
  const answer = await gateway.send("POST", path, { body });
  expect(answer.status).toBe(201);
  expect(answer.headers.warning).toContain('299 - "unknown field');
});
