import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { spawnProcess } from "../cluster/support/process-under-test.ts";
import { type ApiServer, apiServer } from "../runtime/kube-config/api-server.ts";
import { type ConnectProxy, connectProxy } from "../runtime/kube-config/connect-proxy.ts";

const main = join(import.meta.dirname, "../../infra/cli/main.ts");
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

let dir: string;
let proxy: ConnectProxy;
/** The API server and the functions in one: it knows nothing, and says so. */
let server: ApiServer;
let port: string;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "sluice-relay-proxy-"));
  proxy = await connectProxy();
  server = await apiServer((_, response) => response.writeHead(404).end("{}"));
  port = new URL(server.url).port;
});
afterEach(async () => {
  await proxy.close();
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

/** A relay with a gateway: it asks the API server who it is at once, and the functions for their manifest. */
function relay(env: Record<string, string>) {
  const kubeconfig = join(dir, "config");
  const config = {
    clusters: [{ name: "c", cluster: { server: `http://kubernetes.test:${port}` } }],
    users: [{ name: "u", user: { token: "the-t0ken" } }],
    contexts: [{ name: "home", context: { cluster: "c", user: "u" } }],
    "current-context": "home",
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  const ingress = `http://functions.test:${port}`;
  const gateway = ["--gateway-port", "0", "--service-account", "functions/reconcilers"];
  const args = ["relay", "--kubeconfig", kubeconfig, "--cluster", "home", "--ingress", ingress, ...gateway];
  return spawnProcess({ script: main, args, env: { SLUICE_SECRET: secret, ...env } });
}

it("reaches API server and functions through the proxy of the environment, whose password no log shows", async () => {
  const url = proxy.url.replace("//", "//me:s3cret@");
  await using process = relay({ HTTP_PROXY: url });
  const hosts = [`functions.test:${port}`, `kubernetes.test:${port}`];
  await vi.waitFor(() => expect([...new Set(proxy.asked)].toSorted()).toEqual(hosts), { timeout: 20_000 });
  await vi.waitFor(() => expect(server.requests.map((request) => request.url)).toContain("/manifest"));
  expect(new Set(proxy.shown)).toEqual(new Set([`Basic ${Buffer.from("me:s3cret").toString("base64")}`]));
  expect(await process.terminate()).toEqual({ code: 0, signal: null });
  for (const hidden of ["s3cret", "the-t0ken", secret]) expect(process.stderr.join("\n")).not.toContain(hidden);
});

it("leaves the way direct for what NO_PROXY has", async () => {
  await using process = relay({ HTTP_PROXY: proxy.url, NO_PROXY: ".test:1,functions.test" });
  await vi.waitFor(() => expect(proxy.asked).toContain(`kubernetes.test:${port}`), { timeout: 20_000 });
  await process.complained(/manifest/, { timeoutMs: 20_000 });
  expect(await process.terminate()).toEqual({ code: 0, signal: null });
  expect(new Set(proxy.asked)).toEqual(new Set([`kubernetes.test:${port}`]));
});
