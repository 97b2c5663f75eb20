import { crdOf } from "sluice";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { NodeTransport } from "../../../adapters/runtime/node/kube-config/index.ts";
import { Widget } from "../loop/widgets.ts";
import { applyCrd, newNamespace, sharedCluster } from "../support/cluster.ts";
import { type Account, allowImpersonation, connectAs, createAccount, untilAllowed } from "./accounts.ts";
import { GRANT_SETS, GRANTS, type Grant, REQUEST_NAMES, REQUESTS, rulesOf, widget, widgetsIn } from "./requests.ts";
import { type Answer, type ServedGateway, serveGateway } from "./served-gateway.ts";

const cluster = sharedCluster();
const { api } = cluster;
const group = Widget.group;

let transport: NodeTransport;
/** Where Roles are, and where there are none. */
let inside: string;
let outside: string;
let accounts: Account[];
/** One an account. */
const gateways: ServedGateway[] = [];

beforeAll(async () => {
  await applyCrd(api, crdOf(Widget));
  inside = await newNamespace(api);
  outside = await newNamespace(api);
  for (const namespace of [inside, outside]) await api.create(widgetsIn(namespace), JSON.parse(widget("there")));
  const functions = await newNamespace(api);
  const relay = { namespace: await newNamespace(api), name: "relay" };
  accounts = await Promise.all(
    GRANT_SETS.map((grants, at) =>
      createAccount(api, { namespace: functions, name: `functions-${at}` }, { [inside]: rulesOf(grants) }),
    ),
  );
  await createAccount(api, relay);
  await allowImpersonation(api, relay, accounts);
  for (const [at, grants] of GRANT_SETS.entries())
    for (const grant of grants)
      await untilAllowed(api, accounts[at]!, { ...attributesOf(grant), group, namespace: inside });
  for (const { name, namespace } of accounts)
    await untilAllowed(api, relay, { verb: "impersonate", resource: "serviceaccounts", namespace, name });
  transport = await connectAs(cluster, relay);
  for (const serviceAccount of accounts) gateways.push(await serveGateway({ transport, serviceAccount }));
});
afterAll(async () => {
  for (const gateway of gateways) await gateway.close();
  await transport?.close();
  await api.close();
});

const attributesOf = (grant: Grant) =>
  grant === "patch the status" ? { verb: "patch", resource: "widgets/status" } : { verb: grant, resource: "widgets" };
const nameOf = (grants: readonly Grant[]) =>
  grants.length === GRANTS.length ? "everything" : grants.join(" and ") || "nothing";

/** Who refused, if somebody did. */
function refusedBy({ status, body }: Answer): string {
  if (status >= 200 && status < 300) return "nobody";
  if (status === 403 && body.error?.code === "not-declared") return "the manifest";
  if (status === 403 && body.kind === "Status" && body.reason === "Forbidden") return "RBAC";
  return `${status} ${JSON.stringify(body)}`;
}

describe("X2 every cell of what the manifest allows and what RBAC allows", () => {
  const manifests = GRANT_SETS.map((grants) => ({ name: nameOf(grants), declared: grants }));

  test.each(manifests)("the manifest allows $name", async ({ declared }) => {
    for (const [at, granted] of GRANT_SETS.entries()) {
      const gateway = gateways[at]!;
      gateway.declare({ documents: rulesOf(declared) });
      for (const request of REQUEST_NAMES) {
        const { needs, of } = REQUESTS[request];
        const within = (grants: readonly Grant[]) => needs.every((grant) => grants.includes(grant));
        const expected = within(declared) ? (within(granted) ? "nobody" : "RBAC") : "the manifest";
        const answer = await gateway.send(...of(widgetsIn(inside)));
        expect(refusedBy(answer), `${request}, RBAC allows ${nameOf(granted)}`).toBe(expected);
      }
    }
  });

  test("the same in each namespace: of the manifest, of RBAC, of both, of neither", async () => {
    const gateway = gateways.at(-1)!;
    for (const declared of [[inside], [outside], [inside, outside], ["elsewhere"]])
      for (const namespace of [inside, outside])
        for (const request of REQUEST_NAMES) {
          gateway.declare({ documents: rulesOf(GRANTS, declared) });
          const rbac = namespace === inside ? "nobody" : "RBAC";
          const expected = declared.includes(namespace) ? rbac : "the manifest";
          const answer = await gateway.send(...REQUESTS[request].of(widgetsIn(namespace)));
          expect(refusedBy(answer), `${request} in ${namespace}, declared in ${declared}`).toBe(expected);
        }
    gateway.declare({ documents: rulesOf(GRANTS, [inside]) });
    expect(refusedBy(await gateway.send("GET", `/apis/${group}/v1/widgets`))).toBe("the manifest");
    gateway.declare({ documents: rulesOf(GRANTS) });
    expect(refusedBy(await gateway.send("GET", `/apis/${group}/v1/widgets`))).toBe("RBAC");
  });

  test("an account that the relay may not impersonate does nothing, whatever was declared", async () => {
    const stranger = await createAccount(api, { namespace: outside, name: "stranger" }, { [outside]: rulesOf(GRANTS) });
    await untilAllowed(api, stranger, { ...attributesOf("get"), group, namespace: outside });
    const gateway = await serveGateway({ transport, serviceAccount: stranger });
    gateway.declare({ documents: rulesOf(GRANTS) });
    const answer = await gateway.send(...REQUESTS.get.of(widgetsIn(outside)));
    await gateway.close();
    expect(refusedBy(answer)).toBe("RBAC");
    expect(answer.body.message).toContain("cannot impersonate");
  });
});

test("what RBAC and the manifest allow is done under the functions' name, and stands in the log", async () => {
  const gateway = gateways.at(-1)!;
  gateway.declare({ documents: rulesOf(GRANTS) });
  const answer = await gateway.send("PATCH", `${widgetsIn(inside)}/written?fieldManager=documents`, {
    body: widget("written"),
    type: "application/apply-patch+yaml",
    id: "the-write",
  });
  expect(answer).toMatchObject({ status: 201, headers: { "content-type": "application/json" } });
  const written = await api.get(`${widgetsIn(inside)}/written`);
  expect(written.metadata.managedFields).toMatchObject([{ manager: "documents", operation: "Apply" }]);
  const { namespace, name } = accounts.at(-1)!;
  expect(gateway.lines.at(-1)).toEqual({
    level: "info",
    message: "gateway write",
    fields: {
      user: `system:serviceaccount:${namespace}:${name}`,
      controller: "documents",
      verb: "patch",
      group,
      resource: "widgets",
      namespace: inside,
      name: "written",
      status: 201,
      id: "the-write",
    },
  });
});
