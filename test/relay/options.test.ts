import { describe, expect, it } from "vitest";
import { type Option, unknownVariables } from "../../infra/relay/option.ts";
import { relayOptions } from "../../infra/relay/option-table.ts";
import { relaySettings } from "../../infra/relay/options.ts";
import { secret } from "./support/scripted-ingress.ts";

const environment = { SLUICE_CLUSTER: "env", SLUICE_INGRESS: "https://env.test", SLUICE_SECRET: secret };
const other = secret.replace("MDEy", "MTIz");
const defaults = { identity: {}, bind: "0.0.0.0", logLevel: "info", metrics: { port: 8081, asked: false } };

describe("the relay's settings", () => {
  it("come from the environment", () => {
    expect(relaySettings({}, environment)).toEqual({
      ...defaults,
      cluster: "env",
      ingress: new URL("https://env.test"),
      secrets: [secret],
    });
  });

  it("come from flags before the environment", () => {
    const flags = { cluster: "flag", ingress: "http://flag.test/path" };
    expect(relaySettings(flags, environment)).toEqual({
      ...defaults,
      cluster: "flag",
      ingress: new URL("http://flag.test/path"),
      secrets: [secret],
    });
  });

  it("may have several secrets at once", () => {
    expect(relaySettings({}, { ...environment, SLUICE_SECRET: `${secret}\n${other} ` }).secrets).toEqual([
      secret,
      other,
    ]);
  });

  it("may have the secrets in a file", () => {
    const { SLUICE_SECRET: _, ...rest } = environment;
    const settings = relaySettings({}, { ...rest, SLUICE_SECRET_FILE: "/run/secret" });
    expect(settings).toMatchObject({ secretFile: "/run/secret", secrets: [] });
  });

  it.each([
    ["8082", { port: 8082, asked: true }],
    ["8081", { port: 8081, asked: true }],
    ["off", undefined],
  ])("serve metrics on port %s", (metricsPort, metrics) => {
    expect(relaySettings({ metricsPort }, environment).metrics).toEqual(metrics);
  });

  it.each(["127.0.0.1", "0.0.0.0", "::", "::1", "fd00::12", "::ffff:10.0.0.1"])("bind to %s", (bind) => {
    expect(relaySettings({ bind }, environment).bind).toBe(bind);
  });

  it("leave alone what Kubernetes says of a Service whose name begins like theirs", () => {
    const links = { SLUICE_GATEWAY_SERVICE_HOST: "10.0.0.1", SLUICE_GATEWAY_PORT: "tcp://10.0.0.1:80" };
    expect(relaySettings({}, { ...environment, ...links })).not.toHaveProperty("gateway");
  });

  it.each([
    ["SLUICE_CLUSTER", "", "--cluster or SLUICE_CLUSTER is needed: the cluster's name"],
    [
      "SLUICE_CLUSTER",
      "Home",
      '--cluster (SLUICE_CLUSTER) must be a DNS label: a-z, 0-9 and -, at most 63 characters, got "Home"',
    ],
    ["SLUICE_INGRESS", "", "--ingress or SLUICE_INGRESS is needed: the URL of the functions"],
    ["SLUICE_INGRESS", "home", "--ingress (SLUICE_INGRESS) must be an http or https URL without credentials"],
    [
      "SLUICE_INGRESS",
      "ftp://home.test",
      "--ingress (SLUICE_INGRESS) must be an http or https URL without credentials",
    ],
    [
      "SLUICE_INGRESS",
      "https://u:p@home.test",
      "--ingress (SLUICE_INGRESS) must be an http or https URL without credentials",
    ],
    ["SLUICE_SECRET", "", "SLUICE_SECRET or --secret-file is needed: what requests to the functions are signed with"],
    ["SLUICE_SECRET", " ", "SLUICE_SECRET must be whsec_ and 24 to 64 bytes in base64"],
    ["SLUICE_SECRET_FILE", "/a", "SLUICE_SECRET and --secret-file (SLUICE_SECRET_FILE): one is enough"],
    ["SLUICE_METRICS_PORT", "on", '--metrics-port (SLUICE_METRICS_PORT) must be a port, 0 to 65535, or off, got "on"'],
    ["SLUICE_BIND", "localhost", '--bind (SLUICE_BIND) must be an IP address, got "localhost"'],
    ["SLUICE_BIND", "999.0.0.1", '--bind (SLUICE_BIND) must be an IP address, got "999.0.0.1"'],
    ["SLUICE_BIND", "127.1", '--bind (SLUICE_BIND) must be an IP address, got "127.1"'],
    ["SLUICE_BIND", "1.2.3.4/8", '--bind (SLUICE_BIND) must be an IP address, got "1.2.3.4/8"'],
    ["SLUICE_BIND", "::::", '--bind (SLUICE_BIND) must be an IP address, got "::::"'],
    ["SLUICE_BIND", "1::2::3", '--bind (SLUICE_BIND) must be an IP address, got "1::2::3"'],
    ["SLUICE_LOG_LEVEL", "all", '--log-level (SLUICE_LOG_LEVEL) must be one of debug, info, warn, error, got "all"'],
    ["SLUICE_SECRET", "hunter2", "SLUICE_SECRET must be whsec_ and 24 to 64 bytes in base64"],
  ])("%s as %j is refused", (name, value, message) => {
    expect(() => relaySettings({}, { ...environment, [name]: value })).toThrow(new TypeError(message));
  });
});

describe("the gateway's settings", () => {
  const base = { gatewayPort: "8080", serviceAccount: ["functions/reconcilers"] };
  const limits = { concurrency: 32, ratePerSecond: 300 };
  const gateway = { port: 8080, limits, serviceAccount: { namespace: "functions", name: "reconcilers" } };

  it("are absent without a port", () => {
    expect(relaySettings({}, { ...environment, SLUICE_SERVICE_ACCOUNT: "a/b" })).not.toHaveProperty("gateway");
  });

  it("come from flags before the environment", () => {
    const named = { ...environment, SLUICE_GATEWAY_PORT: "8081", SLUICE_SERVICE_ACCOUNT: "a/b.c" };
    expect(relaySettings(base, named).gateway).toEqual(gateway);
    const fromEnvironment = { port: 8081, limits, serviceAccount: { namespace: "a", name: "b.c" } };
    expect(relaySettings({}, named).gateway).toEqual(fromEnvironment);
  });

  it("have accounts of their own for some controllers, by flags and from the environment", () => {
    const accounts = ["functions/reconcilers", "documents=apart/documents", "others=apart/others"];
    const serviceAccounts = {
      documents: { namespace: "apart", name: "documents" },
      others: { namespace: "apart", name: "others" },
    };
    const flags = { ...base, serviceAccount: accounts };
    expect(relaySettings(flags, environment).gateway).toEqual({ ...gateway, serviceAccounts });
    const named = { ...environment, SLUICE_GATEWAY_PORT: "8080", SLUICE_SERVICE_ACCOUNT: accounts.join(", ") };
    expect(relaySettings({}, named).gateway).toEqual({ ...gateway, serviceAccounts });
  });

  it("have limits of each controller where they are given", () => {
    const named = { ...environment, SLUICE_GATEWAY_CONCURRENCY: "8", SLUICE_GATEWAY_RATE: "50" };
    expect(relaySettings(base, named).gateway).toEqual({ ...gateway, limits: { concurrency: 8, ratePerSecond: 50 } });
    const flags = { ...base, gatewayConcurrency: "9", gatewayRate: "60" };
    expect(relaySettings(flags, named).gateway?.limits).toEqual({ concurrency: 9, ratePerSecond: 60 });
  });

  it("have the namespace of the Pod, whose Secrets and Leases are kept from functions", () => {
    const pod = { ...environment, KUBERNETES_SERVICE_HOST: "10.0.0.1", SLUICE_NAMESPACE: "sluice-system" };
    expect(relaySettings(base, pod).gateway).toEqual({ ...gateway, ownNamespace: "sluice-system" });
  });

  it.each([
    ["SLUICE_GATEWAY_PORT", "http", '--gateway-port (SLUICE_GATEWAY_PORT) must be a port: 0 to 65535, got "http"'],
    ["SLUICE_GATEWAY_PORT", "65536", '--gateway-port (SLUICE_GATEWAY_PORT) must be a port: 0 to 65535, got "65536"'],
    [
      "SLUICE_SERVICE_ACCOUNT",
      "",
      "--service-account or SLUICE_SERVICE_ACCOUNT is needed: who functions are in the cluster",
    ],
    ...["reconcilers", "a/", "/b", "a/b/c", "a/b:c", "system:admin/b", "a/system:masters"].map((account) => [
      "SLUICE_SERVICE_ACCOUNT",
      account,
      `--service-account (SLUICE_SERVICE_ACCOUNT) must be namespace/name, or controller=namespace/name, got "${account}"`,
    ]),
    ...["Docs=a/b", "=a/b", "a=b=c/d", "docs=a"].map((account) => [
      "SLUICE_SERVICE_ACCOUNT",
      account,
      `--service-account (SLUICE_SERVICE_ACCOUNT) must be namespace/name, or controller=namespace/name, got "${account}"`,
    ]),
    [
      "SLUICE_SERVICE_ACCOUNT",
      "a/b c/d",
      '--service-account (SLUICE_SERVICE_ACCOUNT) must be given once for all controllers, got "c/d"',
    ],
    [
      "SLUICE_SERVICE_ACCOUNT",
      "a/b docs=a/b docs=c/d",
      '--service-account (SLUICE_SERVICE_ACCOUNT) must be given once for docs, got "docs=c/d"',
    ],
    [
      "SLUICE_SERVICE_ACCOUNT",
      "docs=a/b",
      "--service-account or SLUICE_SERVICE_ACCOUNT is needed: who functions are in the cluster",
    ],
    ...["0", "many", "1.5", "100000"].flatMap((value) => [
      [
        "SLUICE_GATEWAY_CONCURRENCY",
        value,
        `--gateway-concurrency (SLUICE_GATEWAY_CONCURRENCY) must be a whole number from 1 to 99999, got "${value}"`,
      ],
      [
        "SLUICE_GATEWAY_RATE",
        value,
        `--gateway-rate (SLUICE_GATEWAY_RATE) must be a whole number from 1 to 99999, got "${value}"`,
      ],
    ]),
    ["SLUICE_NAMESPACE", "A", '--namespace (SLUICE_NAMESPACE) must be a DNS label, got "A"'],
    [
      "KUBERNETES_SERVICE_HOST",
      "10.0.0.1",
      "--namespace or SLUICE_NAMESPACE is needed: in a Pod, Secrets and Leases there are kept from functions",
    ],
  ])("%s as %j is refused", (name, value, message) => {
    const good = { ...environment, SLUICE_GATEWAY_PORT: "8080", SLUICE_SERVICE_ACCOUNT: "a/b" };
    expect(() => relaySettings({}, { ...good, [name!]: value })).toThrow(new TypeError(message));
  });
});

describe("the table of options", () => {
  const rows: [string, Option][] = Object.entries(relayOptions);

  it.each(rows)("%s is named as its flag and its variable are", (name, { flag, variable }) => {
    const words = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (flag) expect(flag.split(" ")[0]).toBe(`--${words}`);
    if (name !== "kubeconfig") expect(variable).toBe(`SLUICE_${words.replaceAll("-", "_").toUpperCase()}`);
  });

  it.each(rows)("%s has a default that it would take", (_, { default: value, read }) => {
    if (value !== undefined) expect(read(value)).not.toBeUndefined();
  });

  it("finds variables that nobody asked for, but none of Kubernetes'", () => {
    const found = unknownVariables(relayOptions, {
      SLUICE_CLUSTER: "home",
      SLUICE_CLUTSER: "home",
      SLUICE_PORT: "80",
      PATH: "/bin",
      SLUICE_SERVICE_HOST: "10.0.0.1",
      SLUICE_SERVICE_PORT: "80",
      SLUICE_SERVICE_PORT_HTTP: "80",
      SLUICE_RELAY_PORT: "tcp://10.0.0.1:80",
      SLUICE_RELAY_PORT_80_TCP: "tcp://10.0.0.1:80",
      SLUICE_RELAY_PORT_80_TCP_ADDR: "10.0.0.1",
    });
    expect(found).toEqual(["SLUICE_CLUTSER", "SLUICE_PORT"]);
  });
});
