import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { kubeConfigSource } from "../../../adapters/runtime/node/kube-config/index.ts";

const root = mkdtempSync(join(tmpdir(), "sluice-exec-"));
afterAll(() => rmSync(root, { recursive: true }));

let folder: string;
let now: number;
beforeEach(() => {
  folder = mkdtempSync(join(root, "case-"));
  now = Date.UTC(2026, 0, 1);
});

const V1 = "client.authentication.k8s.io/v1";

/** A plugin: a script of Node that counts its runs in a file, then does what is given. */
function script(body: string): string {
  const path = join(folder, "plugin.mjs");
  writeFileSync(path, `import { appendFileSync } from "node:fs";\nappendFileSync(process.argv[2], "x");\n${body}`);
  return path;
}

const runs = () => (existsSync(join(folder, "runs")) ? readFileSync(join(folder, "runs"), "utf8").length : 0);

const prints = (status: object, more: object = {}) =>
  script(
    `console.log(${JSON.stringify(JSON.stringify({ apiVersion: V1, kind: "ExecCredential", status, ...more }))});`,
  );

type Config = { exec?: object; cluster?: object; user?: object; env?: Record<string, string>; timeoutMs?: number };

/** A kubeconfig whose user has this plugin. */
function sourceOf(plugin: string, { exec = {}, cluster = {}, user = {}, env = {}, timeoutMs }: Config = {}) {
  const path = join(folder, "config");
  const args = [plugin, join(folder, "runs")];
  const config = { apiVersion: V1, command: process.execPath, args, interactiveMode: "Never", ...exec };
  writeFileSync(
    path,
    stringify({
      "current-context": "home",
      clusters: [{ name: "c", cluster: { server: "https://10.0.0.1:6443", ...cluster } }],
      users: [{ name: "u", user: { exec: config, ...user } }],
      contexts: [{ name: "home", context: { cluster: "c", user: "u" } }],
    }),
  );
  return kubeConfigSource(path, { env, now: () => now, ...(timeoutMs !== undefined && { timeoutMs }) });
}

const failure = async (plugin: string, config: Config = {}) => {
  const error = await sourceOf(plugin, config)().catch((error: unknown) => error);
  expect(error).toBeInstanceOf(Error);
  return (error as Error).message;
};

describe("an exec plugin", () => {
  test("gives a token", async () => {
    expect(await sourceOf(prints({ token: "t0ken" }))()).toEqual({
      server: "https://10.0.0.1:6443",
      authorization: "Bearer t0ken",
      tls: {},
    });
  });

  test("gives a client certificate, beside the cluster's own CA", async () => {
    const cluster = { "certificate-authority-data": Buffer.from("CA").toString("base64") };
    const plugin = prints({ clientCertificateData: "CERT", clientKeyData: "KEY" });
    const { authorization, tls } = await sourceOf(plugin, { cluster })();
    expect({ authorization, tls }).toEqual({ authorization: undefined, tls: { ca: "CA", cert: "CERT", key: "KEY" } });
  });

  test("of v1beta1 needs no interactiveMode", async () => {
    const apiVersion = "client.authentication.k8s.io/v1beta1";
    const exec = { apiVersion, interactiveMode: undefined };
    expect(await sourceOf(prints({ token: "t" }, { apiVersion }), { exec })()).toMatchObject({
      authorization: "Bearer t",
    });
  });

  const tells = () =>
    script(`const { TOLD, KEPT, SLUICE_SECRET } = process.env;
const token = JSON.stringify({ TOLD, KEPT, SLUICE_SECRET, info: JSON.parse(process.env.KUBERNETES_EXEC_INFO) });
console.log(JSON.stringify({ apiVersion: "${V1}", kind: "ExecCredential", status: { token } }));`);
  const told = async (config: Config) =>
    JSON.parse((await sourceOf(tells(), config)()).authorization!.replace("Bearer ", ""));

  test("gets its variables over the environment's, all but the relay's secret, and no terminal", async () => {
    const exec = { env: [{ name: "TOLD", value: "own" }], interactiveMode: "IfAvailable" };
    const env = { TOLD: "env", KEPT: "env", SLUICE_SECRET: "s3cret" };
    expect(await told({ exec, env })).toEqual({
      TOLD: "own",
      KEPT: "env",
      info: { kind: "ExecCredential", apiVersion: V1, spec: { interactive: false } },
    });
  });

  test("is told of its cluster where it asks for that", async () => {
    writeFileSync(join(folder, "ca.pem"), "CA");
    const cluster = {
      "certificate-authority": "ca.pem",
      "tls-server-name": "k.test",
      "proxy-url": "http://proxy.test",
      extensions: [{ name: "client.authentication.k8s.io/exec", extension: { audience: "a" } }],
    };
    const { info } = await told({ exec: { provideClusterInfo: true }, cluster });
    expect(info.spec.cluster).toEqual({
      server: "https://10.0.0.1:6443",
      "certificate-authority-data": Buffer.from("CA").toString("base64"),
      "tls-server-name": "k.test",
      "proxy-url": "http://proxy.test",
      config: { audience: "a" },
    });
  });

  test("with a slash in its name is beside the kubeconfig", async () => {
    const plugin = prints({ token: "beside" });
    writeFileSync(join(folder, "run.sh"), `#!/bin/sh\nexec ${process.execPath} ${plugin} ${join(folder, "runs")}\n`, {
      mode: 0o755,
    });
    const exec = { command: "./run.sh", args: [] };
    expect(await sourceOf(plugin, { exec })()).toMatchObject({ authorization: "Bearer beside" });
  });
});

describe("what a plugin printed", () => {
  test("is kept, whenever credentials are read", async () => {
    const source = sourceOf(prints({ token: "t" }));
    await source();
    now += 86_400_000;
    await source();
    expect(runs()).toBe(1);
  });

  test("is renewed a minute before it ends, since it is read once a minute", async () => {
    const source = sourceOf(prints({ token: "t", expirationTimestamp: new Date(now + 600_000).toISOString() }));
    await source();
    now += 539_999;
    await source();
    expect(runs()).toBe(1);
    now += 1;
    await source();
    expect(runs()).toBe(2);
  });

  test("R9 is renewed after a 401, but not more often than every 5 s", async () => {
    const source = sourceOf(prints({ token: "t" }));
    await source();
    now += 4_999;
    await source(true);
    expect(runs()).toBe(1);
    now += 1;
    await source(true);
    expect(runs()).toBe(2);
  });

  test("is of no use once its configuration is another one", async () => {
    const plugin = prints({ token: "t" });
    const source = sourceOf(plugin);
    await source();
    sourceOf(plugin, { exec: { env: [{ name: "A", value: "b" }] } });
    await source();
    expect(runs()).toBe(2);
  });
});

describe("a plugin that fails", () => {
  test.each<[string, string, Config?]>([
    ["it printed nothing", ""],
    ["it printed no JSON", 'console.log("s3cret-token");'],
    ["it printed no ExecCredential: kind is missing or wrong", 'console.log(JSON.stringify({ apiVersion: "v1" }));'],
    [
      "it printed no ExecCredential: status is missing or wrong",
      `console.log(JSON.stringify({ apiVersion: "${V1}", kind: "ExecCredential" }));`,
    ],
    [
      "it printed an ExecCredential of another version than client.authentication.k8s.io/v1",
      'console.log(JSON.stringify({ apiVersion: "client.authentication.k8s.io/v1beta1", kind: "ExecCredential", status: { token: "s3cret" } }));',
    ],
    [
      "it printed neither a token nor a certificate",
      `console.log(JSON.stringify({ apiVersion: "${V1}", kind: "ExecCredential", status: {} }));`,
    ],
    [
      "it printed a certificate without the other half",
      `console.log(JSON.stringify({ apiVersion: "${V1}", kind: "ExecCredential", status: { clientCertificateData: "s3cret" } }));`,
    ],
    ["ended with exit code 3: log in first", 'console.error("log in\\n first"); process.exitCode = 3;'],
    ["was ended by SIGTERM", 'process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000);'],
    ["took longer than 1500 ms", "setInterval(() => {}, 1000);", { timeoutMs: 1_500 }],
    ["printed more than 1048576 bytes", 'process.stdout.write("s3cret".repeat(300_000));'],
  ])("%s", async (expected, body, config) => {
    const message = await failure(script(body), config);
    expect(message).toContain(expected);
    expect(message).toContain(`kubeconfig ${join(folder, "config")}: context home: users[u].exec: `);
    expect(message).not.toContain("s3cret");
  });

  test("that is not installed says how to install it", async () => {
    const exec = { command: "sluice-no-such-plugin", installHint: "Install it with make." };
    expect(await failure("none", { exec })).toContain("sluice-no-such-plugin was not found. Install it with make.");
  });

  test("X4 shows its complaint without what looks like a secret", async () => {
    const jwt = "eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiJzeXN0ZW06YWRtaW4ifQ.c2lnbmF0dXJlc2lnbmF0dXJl";
    const said = `refused ${jwt} and password=hunter2 and "token": "abc123" for own-value at eu-west-1`;
    const exec = { env: [{ name: "KEY", value: "own-value" }] };
    const message = await failure(script(`console.error(${JSON.stringify(said)}); process.exitCode = 1;`), { exec });
    expect(message).toContain("refused");
    expect(message).toContain("at eu-west-1");
    for (const part of [...jwt.split("."), "hunter2", "abc123", "own-value"]) expect(message).not.toContain(part);
  });

  test("is not started again within 5 s", async () => {
    const source = sourceOf(script("process.exitCode = 1;"));
    for (const step of [0, 4_999, 1]) {
      now += step;
      await expect(source()).rejects.toThrow("exit code 1");
    }
    expect(runs()).toBe(2);
  });

  test.each<[string, Config]>([
    ["users[u].exec: interactiveMode Always needs somebody who types", { exec: { interactiveMode: "Always" } }],
    ["users[u].exec: interactiveMode is missing: v1 needs it", { exec: { interactiveMode: undefined } }],
    [
      "users[u].exec.apiVersion: must be client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1",
      { exec: { apiVersion: "client.authentication.k8s.io/v1alpha1" } },
    ],
    ["users[u].exec: stands beside token: only one of them can hold", { user: { token: "s3cret" } }],
  ])("in its configuration is never started: %s", async (expected, config) => {
    const message = await failure(prints({ token: "t" }), config);
    expect(message).toContain(expected);
    expect(message).not.toContain("s3cret");
    expect(runs()).toBe(0);
  });
});
