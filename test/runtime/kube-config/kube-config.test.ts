import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { kubeConfigSource } from "../../../adapters/runtime/node/kube-config/index.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-kubeconfig-"));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function file(content: unknown): string {
  const path = join(folder, `config-${++files}`);
  writeFileSync(path, typeof content === "string" ? content : stringify(content));
  return path;
}

type Parts = { cluster?: object; user?: object; context?: object };

/** A kubeconfig of one context, as kubectl writes it. */
function config({ cluster, user, context }: Parts): object {
  return {
    apiVersion: "v1",
    kind: "Config",
    preferences: {},
    "current-context": "home",
    clusters: [{ name: "c", cluster: { server: "https://10.0.0.1:6443", ...cluster } }],
    users: [{ name: "u", user: user ?? {} }],
    contexts: [{ name: "home", context: { cluster: "c", user: "u", namespace: "x", ...context } }],
  };
}

const read = (parts: Parts) => kubeConfigSource(file(config(parts)))();
const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("a kubeconfig", () => {
  test.each<[string, Parts, object]>([
    ["without a user", { context: { user: "" } }, { server: "https://10.0.0.1:6443", tls: {} }],
    ["a token", { user: { token: "t0ken\n" } }, { authorization: "Bearer t0ken" }],
    [
      "a CA and a client certificate as data",
      {
        cluster: { "certificate-authority-data": base64("CA") },
        user: { "client-certificate-data": base64("CERT"), "client-key-data": base64("KEY") },
      },
      { tls: { ca: "CA", cert: "CERT", key: "KEY" } },
    ],
    ["a user and a password", { user: { username: "me", password: "pass" } }, { authorization: "Basic bWU6cGFzcw==" }],
    [
      "a proxy of its own",
      { cluster: { "proxy-url": "http://me:pass@proxy:3128" } },
      { proxy: "http://me:pass@proxy:3128" },
    ],
    ["a name in the certificate", { cluster: { "tls-server-name": "k.test" } }, { tls: { servername: "k.test" } }],
    ["no check at all", { cluster: { "insecure-skip-tls-verify": true } }, { tls: { rejectUnauthorized: false } }],
    ["a path before /api", { cluster: { server: "https://rancher/k8s/c-1/" } }, { server: "https://rancher/k8s/c-1" }],
    ["a plain proxy", { cluster: { server: "http://127.0.0.1:8001" } }, { server: "http://127.0.0.1:8001" }],
  ])("with %s", async (_, parts, expected) => {
    expect(await read(parts)).toMatchObject(expected);
  });

  test("names files relative to its own folder, and data wins over them", async () => {
    for (const name of ["ca.pem", "client.pem", "key.pem", "token"]) writeFileSync(join(folder, name), `${name}\n`);
    const cluster = { "certificate-authority": "ca.pem" };
    const user = {
      token: "old",
      tokenFile: join(folder, "token"),
      "client-certificate": "client.pem",
      "client-key": "key.pem",
    };
    expect(await read({ cluster, user })).toEqual({
      server: "https://10.0.0.1:6443",
      authorization: "Bearer token",
      tls: { ca: "ca.pem\n", cert: "client.pem\n", key: "key.pem\n" },
    });
    const both = { ...cluster, "certificate-authority-data": base64("DATA") };
    expect(await read({ cluster: both })).toMatchObject({ tls: { ca: "DATA" } });
  });

  test.each<[string, Parts]>([
    ["users[u].auth-provider: is not supported", { user: { "auth-provider": { name: "gcp" } } }],
    ["users[u].username: stands beside token", { user: { token: "s3cret", username: "me" } }],
    ["users[u].as: is not supported", { user: { as: "admin" } }],
    ["clusters[c].proxy-url: must be an http or https URL", { cluster: { "proxy-url": "socks5://me:s3cret@proxy" } }],
    [
      "clusters[c].insecure-skip-tls-verify: stands beside a certificate-authority",
      { cluster: { "insecure-skip-tls-verify": true, "certificate-authority-data": base64("CA") } },
    ],
    ["context home: clusters[c].certificate-authority: ", { cluster: { "certificate-authority": "absent.pem" } }],
    ["clusters[c].server: must not hold a user", { cluster: { server: "https://me:s3cret@host" } }],
    ["clusters.0.cluster.server: must be an http or https URL", { cluster: { server: "10.0.0.1" } }],
    ["users[u].client-key: is missing", { user: { "client-certificate-data": base64("CERT") } }],
    ["users[u].tokenFile: /nowhere/token cannot be read (ENOENT)", { user: { tokenFile: "/nowhere/token" } }],
    ['clusters has no "other"', { context: { cluster: "other" } }],
    ['users has no "other"', { context: { user: "other" } }],
  ])("is refused, naming the field: %s", async (expected, parts) => {
    const error = (await read(parts).catch((error: unknown) => error)) as Error;
    expect(error.message).toContain(expected);
    expect(error.message).not.toContain("s3cret");
  });

  test.each([
    ["is no YAML", "users: [{ token: s3cret"],
    ["current-context is missing", stringify({ users: [] })],
    ["users", stringify({ "current-context": "home", users: "s3cret" })],
  ])("X4 is refused without quoting it: %s", async (expected, text) => {
    const error = (await kubeConfigSource(file(text))().catch((error: unknown) => error)) as Error;
    expect(error.message).toContain(expected);
    expect(`${error.message} ${String(error.cause)}`).not.toContain("s3cret");
  });

  test("its own proxy wins over the environment's, whose NO_PROXY it ignores", async () => {
    const proxyFor = async (cluster: object, NO_PROXY: string) => {
      const env = { HTTPS_PROXY: "http://env.test", NO_PROXY };
      return (await kubeConfigSource(file(config({ cluster })), { env })()).proxy;
    };
    const own = { "proxy-url": "http://own.test" };
    expect(await proxyFor(own, "")).toBe("http://own.test");
    expect(await proxyFor(own, "*")).toBe("http://own.test");
    expect(await proxyFor({}, "")).toBe("http://env.test");
    expect(await proxyFor({}, "*")).toBeUndefined();
  });

  test("has a user whom another one's odd plugin does not concern", async () => {
    const odd = { name: "odd", user: { exec: { apiVersion: "client.authentication.k8s.io/v1alpha1" } } };
    const users = [odd, { name: "u", user: { token: "t" } }];
    expect(await kubeConfigSource(file({ ...config({}), users }))()).toMatchObject({ authorization: "Bearer t" });
  });

  test("that is absent is an error", async () => {
    await expect(kubeConfigSource(join(folder, "absent"))()).rejects.toThrow("cannot be read (ENOENT)");
  });

  test("of several files is merged: the first to name something wins, absent files are passed by", async () => {
    const first = file({ users: [{ name: "u", user: { token: "first" } }] });
    const second = file(config({ user: { token: "second" } }));
    const paths = [join(folder, "absent"), first, second].join(delimiter);
    expect(await kubeConfigSource(paths)()).toMatchObject({ authorization: "Bearer first" });
  });

  test("keeps its context when another one becomes current", async () => {
    const path = file(config({ user: { token: "home" } }));
    const source = kubeConfigSource(path);
    await source();
    const other = { ...config({ user: { token: "renewed" } }), "current-context": "away" };
    writeFileSync(path, stringify(other));
    expect(await source()).toMatchObject({ authorization: "Bearer renewed" });
  });
});
