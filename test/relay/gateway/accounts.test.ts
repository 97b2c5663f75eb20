import { describe, expect, it } from "vitest";
import type { KubeTransport } from "../../../functions/ports/index.ts";
import { createOwnUser, refuseOwnAccount } from "../../../infra/relay/gateway/own-user.ts";
import { recordingLogger } from "../../support/recording-logger.ts";
import { configMap, gatewayUnderTest, manifestWith, mapsIn, rule, USER } from "./gateway-under-test.ts";

const maps = mapsIn("default");
const declared = manifestWith({
  documents: [rule("configmaps", ["get", "create"])],
  others: [rule("configmaps", ["get", "create"])],
});
const serviceAccounts = { documents: { namespace: "apart", name: "documents" } };
const APART = "system:serviceaccount:apart:documents";

describe("a service account per controller", () => {
  it("X2 is whom the API server sees, and the audit tells; another controller has the one for all", async () => {
    const gateway = gatewayUnderTest({ serviceAccounts }, { declared });
    for (const controller of ["documents", "others"])
      await gateway.send("POST", `${maps}?fieldManager=${controller}`, { body: configMap("a"), controller });
    expect(gateway.upstream.map(({ init }) => init.headers?.["impersonate-user"])).toEqual([APART, USER]);
    const writes = gateway.logger.lines.filter(({ message }) => message === "gateway write");
    expect(writes.map(({ fields }) => fields?.user)).toEqual([APART, USER]);
  });

  it("X2 its RBAC holds: the API server's 403 is passed on", async () => {
    const access = { rules: { [USER]: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }] } };
    const gateway = gatewayUnderTest({ serviceAccounts }, { declared, access });
    const answer = await gateway.send("GET", `${maps}/a`);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ kind: "Status", apiVersion: "v1", reason: "Forbidden" });
    expect((await gateway.send("GET", `${maps}/a`, { controller: "others" })).status).toBe(404);
  });

  it("a controller by the name of an object's own property has the one for all", async () => {
    const odd = manifestWith({ constructor: [rule("configmaps", ["get"])] });
    const gateway = gatewayUnderTest({ serviceAccounts }, { declared: odd });
    await gateway.send("GET", `${maps}/a`, { controller: "constructor" });
    expect(gateway.upstream[0]?.init.headers?.["impersonate-user"]).toBe(USER);
  });

  it("for a controller that nobody declares is said in the log", () => {
    const gateway = gatewayUnderTest({ serviceAccounts: { documants: serviceAccounts.documents } }, { declared });
    expect(gateway.logger.lines).toMatchObject([{ level: "warn", fields: { controllers: ["documants"] } }]);
  });
});

describe("X2 the relay's own account", () => {
  it("is refused before anything is sent, for the controller that was given it", async () => {
    const gateway = gatewayUnderTest({ serviceAccounts, ownUser: async () => APART }, { declared });
    const answer = await gateway.send("GET", `${maps}/a`);
    expect([answer.status, (await answer.json()).error.code]).toEqual([403, "own-account"]);
    expect(gateway.upstream).toEqual([]);
    expect((await gateway.send("GET", `${maps}/a`, { controller: "others" })).status).toBe(404);
  });
});

/** An API server that answers who is asking with these, in turn. */
function telling(...answers: (Response | Error)[]) {
  const asked: { path: string; method: string | undefined; body: string | undefined }[] = [];
  const transport: KubeTransport = {
    async fetch(path, { method, body } = {}) {
      asked.push({ path, method, body });
      const answer = answers.shift();
      if (answer instanceof Response) return answer;
      throw answer ?? new Error("nobody expected this");
    },
  };
  return { transport, asked, logger: recordingLogger() };
}

const review = (username: string) => Response.json({ status: { userInfo: { username } } }, { status: 201 });
const accounts = { serviceAccount: { namespace: "functions", name: "reconcilers" }, serviceAccounts };

describe("who the relay is", () => {
  it("is asked of the API server once, with a SelfSubjectReview", async () => {
    const { transport, asked, logger } = telling(review("relay"));
    const ownUser = createOwnUser(transport, logger);
    expect(await Promise.all([ownUser(), ownUser()])).toEqual(["relay", "relay"]);
    expect(await ownUser()).toBe("relay");
    expect(asked).toEqual([
      {
        path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
        method: "POST",
        body: '{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}',
      },
    ]);
  });

  it.each<[string, Response | Error]>([
    ["no answer", new TypeError("no answer")],
    ["a 500", new Response(null, { status: 500 })],
    ["a 429", new Response(null, { status: 429 })],
    ["a 401", new Response(null, { status: 401 })],
  ])("is a 503 after %s, and asked again by the next request", async (_, failure) => {
    const { transport, logger } = telling(failure, review("relay"));
    const ownUser = createOwnUser(transport, logger);
    await expect(ownUser()).rejects.toMatchObject({ status: 503, headers: { "retry-after": "1" } });
    expect(await ownUser()).toBe("relay");
  });

  it.each<[string, Response]>([
    ["404 of an old API server", new Response("{}", { status: 404 })],
    ["403", new Response("{}", { status: 403 })],
    ["nonsense", new Response("nonsense", { status: 201 })],
  ])("stays unknown after %s, and the log says what that means", async (_, answer) => {
    const { transport, logger, asked } = telling(answer);
    const ownUser = createOwnUser(transport, logger);
    expect([await ownUser(), await ownUser()]).toEqual([undefined, undefined]);
    expect(asked).toHaveLength(1);
    expect(logger.lines).toMatchObject([{ level: "warn" }]);
  });
});

describe("at the start", () => {
  it.each([USER, APART])("functions that were given the relay's own account %s are refused", async (own) => {
    const { transport, logger } = telling(review(own));
    await expect(refuseOwnAccount(accounts, transport, logger)).rejects.toThrow(
      new TypeError(
        `--service-account (SLUICE_SERVICE_ACCOUNT) must not name the relay's own account, ${own}: functions would have its rights`,
      ),
    );
  });

  it("another account, and an API server that does not answer, are none of its business", async () => {
    const { transport, logger } = telling(review("system:serviceaccount:sluice:relay"), new TypeError("no answer"));
    await refuseOwnAccount(accounts, transport, logger);
    await refuseOwnAccount(accounts, transport, logger);
    expect(logger.lines).toEqual([]);
  });
});
