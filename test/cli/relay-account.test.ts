import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { spawnProcess } from "../cluster/support/process-under-test.ts";
import { type ApiServer, apiServer } from "../runtime/kube-config/api-server.ts";

const main = join(import.meta.dirname, "../../infra/cli/main.ts");
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

let dir: string;
let server: ApiServer;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "sluice-relay-account-"));
  const review = { status: { userInfo: { username: "system:serviceaccount:sluice-system:relay" } } };
  server = await apiServer((request, response) => {
    const isReview = request.url?.endsWith("/selfsubjectreviews");
    response.writeHead(isReview ? 201 : 404).end(JSON.stringify(isReview ? review : {}));
  });
});
afterEach(async () => {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

it("X2 a relay whose functions were given its own account ends with 2, and says which", async () => {
  const kubeconfig = join(dir, "config");
  const config = {
    clusters: [{ name: "c", cluster: { server: server.url } }],
    users: [{ name: "u", user: { token: "t" } }],
    contexts: [{ name: "home", context: { cluster: "c", user: "u" } }],
    "current-context": "home",
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  const where = ["--kubeconfig", kubeconfig, "--cluster", "home", "--ingress", "http://127.0.0.1:1"];
  const accounts = ["functions/reconcilers", "documents=sluice-system/relay"];
  const gateway = ["--gateway-port", "0", ...accounts.flatMap((account) => ["--service-account", account])];
  await using process = spawnProcess({
    script: main,
    args: ["relay", ...where, ...gateway],
    env: { SLUICE_SECRET: secret },
  });
  expect(await process.exited).toEqual({ code: 2, signal: null });
  expect(process.stderr.join("\n")).toContain("the relay's own account, system:serviceaccount:sluice-system:relay");
});
