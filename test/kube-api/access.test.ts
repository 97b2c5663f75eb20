import { expect, it } from "vitest";
import { createApiServer } from "../../adapters/testing/index.ts";
import { CONFIG_MAPS, call, configMap } from "./support.ts";

const server = createApiServer({
  tokens: { "reader-token": "reader", "admin-token": "admin" },
  rules: {
    reader: [
      { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list"], namespaces: ["default"] },
      { apiGroups: [""], resources: ["secrets"], verbs: ["*"], resourceNames: ["one"] },
      { apiGroups: ["apps"], resources: ["deployments"], verbs: ["get"] },
    ],
  },
});
const as = (token: string) => ({ authorization: `Bearer ${token}` });
const status = async (method: string, path: string, token = "reader-token") =>
  (await call(server, method, path, method === "POST" ? configMap("x") : undefined, as(token))).status;

it.each([
  ["GET", CONFIG_MAPS, 200],
  ["GET", `${CONFIG_MAPS}/a`, 404],
  ["POST", CONFIG_MAPS, 403],
  ["DELETE", `${CONFIG_MAPS}/a`, 403],
  ["GET", "/api/v1/namespaces/kube-system/configmaps", 403],
  ["GET", "/api/v1/configmaps", 403],
  ["GET", "/api/v1/namespaces/default/secrets/one", 404],
  ["GET", "/api/v1/namespaces/default/secrets?fieldSelector=metadata.name%3Done", 200],
  ["GET", "/api/v1/namespaces/default/secrets/two", 403],
  ["GET", "/api/v1/namespaces/default/secrets", 403],
  ["GET", "/apis/apps/v1/namespaces/default/deployments/a", 404],
  ["GET", "/apis/apps/v1/namespaces/default/deployments/a/scale", 403],
  ["GET", "/apis/apps/v1/namespaces/default/deployments", 403],
])("a user with rules: %s %s is a %i", async (method, path, expected) => {
  expect(await status(method, path)).toBe(expected);
});

it("the administrator may do all, a token that nobody has nothing", async () => {
  expect(await status("POST", CONFIG_MAPS, "admin-token")).toBe(201);
  expect(await status("GET", CONFIG_MAPS, "stolen-token")).toBe(401);
});

it("the administrator acts as another user, who may not", async () => {
  const impersonating = { ...as("admin-token"), "impersonate-user": "reader" };
  expect((await call(server, "DELETE", `${CONFIG_MAPS}/x`, undefined, impersonating)).status).toBe(403);
  const asReader = { ...as("reader-token"), "impersonate-user": "admin" };
  expect((await call(server, "DELETE", `${CONFIG_MAPS}/x`, undefined, asReader)).status).toBe(403);
});
