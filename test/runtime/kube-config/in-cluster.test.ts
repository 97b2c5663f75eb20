import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { credentialSource, inClusterSource } from "../../../adapters/runtime/node/kube-config/index.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-in-cluster-"));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, "ca.crt"), "CA");

const env = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };

describe("the service account of a Pod", () => {
  test("R9 is read anew at each call", async () => {
    const source = inClusterSource(env, folder);
    writeFileSync(join(folder, "token"), "one\n");
    expect(await source()).toEqual({ server: "https://10.0.0.1:443", authorization: "Bearer one", tls: { ca: "CA" } });
    writeFileSync(join(folder, "token"), "two\n");
    expect(await source()).toMatchObject({ authorization: "Bearer two" });
  });

  test("is found at an IPv6 address", async () => {
    const source = inClusterSource({ ...env, KUBERNETES_SERVICE_HOST: "fd00::1" }, folder);
    expect(await source()).toMatchObject({ server: "https://[fd00::1]:443" });
  });

  test("is reached through the proxy that the environment names, unless NO_PROXY has its address", async () => {
    const proxied = { ...env, HTTPS_PROXY: "http://proxy.test:3128" };
    expect(await inClusterSource(proxied, folder)()).toMatchObject({ proxy: "http://proxy.test:3128" });
    expect(await inClusterSource({ ...proxied, NO_PROXY: "10.0.0.0/8" }, folder)()).not.toHaveProperty("proxy");
  });

  test("outside a Pod is an error that names what is missing", async () => {
    await expect(inClusterSource({}, folder)()).rejects.toThrow("KUBERNETES_SERVICE_HOST");
  });
});

describe("where credentials are looked for", () => {
  test("KUBECONFIG comes before the Pod's service account", async () => {
    await expect(credentialSource({ ...env, KUBECONFIG: join(folder, "absent") })()).rejects.toThrow("kubeconfig");
    await expect(credentialSource(env)()).rejects.toThrow("serviceaccount");
  });
});
