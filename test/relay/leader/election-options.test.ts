import { describe, expect, it } from "vitest";
import type { Flags } from "../../../infra/relay/option.ts";
import { relaySettings } from "../../../infra/relay/options.ts";
import { secret } from "../support/scripted-ingress.ts";

const environment = {
  ...{ SLUICE_CLUSTER: "home", SLUICE_INGRESS: "https://functions.test", SLUICE_SECRET: secret },
  SLUICE_NAMESPACE: "sluice-system",
};
const settings = (flags: Flags, more: Record<string, string> = {}) => relaySettings(flags, { ...environment, ...more });

describe("the settings of an election", () => {
  it("are absent where nobody asks for one", () => {
    expect(settings({})).not.toHaveProperty("election");
    expect(settings({}, { SLUICE_LEADER_ELECT: "false" })).not.toHaveProperty("election");
  });

  it("are client-go's, and the Lease is in the relay's own namespace", () => {
    const election = {
      ...{ leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 },
      lease: { namespace: "sluice-system", name: "sluice-relay" },
    };
    expect(settings({ leaderElect: true }).election).toEqual(election);
    expect(settings({}, { SLUICE_LEADER_ELECT: "true" }).election).toEqual(election);
  });

  it("come from flags before the environment", () => {
    const flags = {
      ...({ leaderElect: true, leaseName: "a.b", leaseNamespace: "c" } as const),
      ...{ leaseDuration: "1m", renewDeadline: "30s", retryPeriod: "500ms" },
    };
    expect(settings(flags, { SLUICE_LEASE_DURATION: "20s", SLUICE_LEASE_NAME: "x" }).election).toEqual({
      ...{ leaseDurationMs: 60_000, renewDeadlineMs: 30_000, retryPeriodMs: 500 },
      lease: { namespace: "c", name: "a.b" },
    });
  });

  it("need a namespace", () => {
    expect(() => settings({ leaderElect: true }, { SLUICE_NAMESPACE: "" })).toThrow(
      new TypeError("--lease-namespace or SLUICE_LEASE_NAMESPACE is needed: where the Lease of --leader-elect is"),
    );
  });

  it.each([
    ["LEADER_ELECT", "yes", '--leader-elect (SLUICE_LEADER_ELECT) must be true or false, got "yes"'],
    ["LEASE_NAME", "A", "--lease-name (SLUICE_LEASE_NAME) must be a DNS subdomain"],
    ["LEASE_NAMESPACE", "a.b", "--lease-namespace (SLUICE_LEASE_NAMESPACE) must be a DNS label"],
    ["LEASE_DURATION", "15", "--lease-duration (SLUICE_LEASE_DURATION) must be whole seconds"],
    ["LEASE_DURATION", "1500ms", "--lease-duration (SLUICE_LEASE_DURATION) must be whole seconds"],
    ["LEASE_DURATION", "0s", "--lease-duration (SLUICE_LEASE_DURATION) must be whole seconds"],
    ["LEASE_DURATION", "10s", "--renew-deadline (SLUICE_RENEW_DEADLINE) must be less than --lease-duration"],
    ["RENEW_DEADLINE", "-1s", "--renew-deadline (SLUICE_RENEW_DEADLINE) must be a time"],
    [
      "RETRY_PERIOD",
      "8s",
      "--retry-period (SLUICE_RETRY_PERIOD) and a quarter of it must be less than --renew-deadline",
    ],
    ["RETRY_PERIOD", "1d", "--retry-period (SLUICE_RETRY_PERIOD) must be a time"],
  ])("%s as %j is refused", (name, value, message) => {
    expect(() => settings({}, { [`SLUICE_${name}`]: value })).toThrow(message);
  });
});

describe("the settings of a part of the cluster", () => {
  it("are absent for the whole of it", () => {
    expect(settings({})).not.toHaveProperty("shard");
  });

  it("name the Lease, and their checkpoint", () => {
    const { shard, election } = settings({ leaderElect: true, watchNamespaces: ["a,b", "c"], watchSelector: "team=a" });
    expect(shard).toEqual({ name: shard?.name, namespaces: ["a", "b", "c"], selector: "team=a" });
    expect(election?.lease.name).toBe(`sluice-relay-${shard?.name}`);
    expect(settings({}, { SLUICE_WATCH_NAMESPACES: "c a b", SLUICE_WATCH_SELECTOR: "team=a" }).shard).toEqual(shard);
  });

  it.each([
    ["WATCH_NAMESPACES", "A", "--watch-namespaces (SLUICE_WATCH_NAMESPACES) must be DNS labels with commas between"],
    ["WATCH_NAMESPACES", ",", "--watch-namespaces (SLUICE_WATCH_NAMESPACES) must be DNS labels with commas between"],
    ["WATCH_SELECTOR", "team in a", "--watch-selector (SLUICE_WATCH_SELECTOR) must be a label selector"],
  ])("%s as %j is refused", (name, value, message) => {
    expect(() => settings({}, { [`SLUICE_${name}`]: value })).toThrow(message);
  });
});

describe("X2 the Lease is kept from functions", () => {
  const gateway = { leaderElect: true, gatewayPort: "0", serviceAccount: "functions/reconcilers" } as const;

  it("by the gateway's own namespace, which is the Lease's where nothing else is said", () => {
    expect(settings(gateway).gateway?.ownNamespace).toBe("sluice-system");
    const apart = settings({ ...gateway, leaseNamespace: "leases" }, { SLUICE_NAMESPACE: "" });
    expect(apart.gateway?.ownNamespace).toBe("leases");
  });

  it("and may be nowhere else", () => {
    expect(() => settings({ ...gateway, leaseNamespace: "leases" })).toThrow(
      "only Leases there are kept from functions",
    );
  });
});
