import { readAccounts } from "./gateway/accounts.ts";
import type { GatewayIdentity } from "./gateway/gateway.ts";
import type { GatewayLimits } from "./gateway/turns.ts";
import { type ElectionSettings, electionSettings } from "./leader/election-options.ts";
import { type Environment, type Flags, missing, readOptions, wrong } from "./option.ts";
import { relayOptions } from "./option-table.ts";
import { type Shard, shardOf } from "./plan/shard.ts";

/** What a relay that runs apart from the functions is told. */
export type RelaySettings = {
  /** The cluster's name, as the functions know it. */
  cluster: string;
  /** Where the functions' ingress is. */
  ingress: URL;
  /** What is signed with. It may be changed in place while one is being replaced. */
  secrets: readonly string[];
  /** How sure it has to be which cluster this is; absent, it is taken for the right one. */
  identity?: { /** The uid of its namespace kube-system. */ accept?: string | undefined };
  /** How it agrees with its replicas on who leads, if it has any. */
  election?: ElectionSettings;
  /** The part of the cluster that it is for; all of it where absent. */
  shard?: Shard;
  /** Where functions reach the API server through this relay, if they may. */
  gateway?: GatewaySettings;
};

export type GatewaySettings = GatewayIdentity & {
  /** Where it listens; 0 takes a free one. */
  port: number;
  /** Of each controller. */
  limits?: GatewayLimits;
};

/** What the process around it is told. */
export type ProcessSettings = {
  /** None where the process has to find its credentials itself. */
  kubeconfig?: string;
  /** Where the secrets are, which are then not in the settings. */
  secretFile?: string;
  /** The address that its ports are on. */
  bind: string;
  /** Where metrics and health are served. */
  metrics?: { port: number /** Whether anybody asked for this port. */; asked: boolean };
  logLevel: "debug" | "info" | "warn" | "error";
};

/**
 * Settings from flags, else from the environment, as `relayOptions` has them.
 * @throws TypeError for a setting that is missing or wrong. It names the flag and the variable, and quotes no secret.
 * @example relaySettings({ cluster: "home" }, process.env)
 */
export function relaySettings(flags: Flags, environment: Environment): RelaySettings & ProcessSettings {
  const values = readOptions(relayOptions, flags, environment);
  const { cluster, ingress, secret, secretFile, kubeconfig, acceptCluster, metricsPort, bind, logLevel } = values;
  if (!cluster) throw missing(relayOptions.cluster, "the cluster's name");
  if (!ingress) throw missing(relayOptions.ingress, "the URL of the functions");
  if (secret && secretFile) throw new TypeError("SLUICE_SECRET and --secret-file (SLUICE_SECRET_FILE): one is enough");
  if (!secret && !secretFile)
    throw new TypeError("SLUICE_SECRET or --secret-file is needed: what requests to the functions are signed with");
  const gateway = gatewaySettings(values, environment);
  const shard = shardOf({ namespaces: values.watchNamespaces, selector: values.watchSelector });
  const election = electionSettings(values, { own: values.namespace, shard: shard?.name });
  if (gateway && election) gateway.ownNamespace ??= election.lease.namespace;
  if (gateway && election && gateway.ownNamespace !== election.lease.namespace)
    throw new TypeError(
      "--lease-namespace (SLUICE_LEASE_NAMESPACE) must be --namespace where there is a gateway: only Leases there are kept from functions",
    );
  const asked = Boolean(flags.metricsPort || environment.SLUICE_METRICS_PORT);
  return {
    ...{ cluster, ingress, secrets: secret ?? [], bind, logLevel },
    identity: { ...(acceptCluster !== undefined && { accept: acceptCluster }) },
    ...(secretFile !== undefined && { secretFile }),
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(gateway && { gateway }),
    ...(election && { election }),
    ...(shard && { shard }),
    ...(metricsPort !== "off" && { metrics: { port: metricsPort, asked } }),
  };
}

type Values = ReturnType<typeof readOptions<typeof relayOptions>>;

function gatewaySettings(values: Values, environment: Environment): GatewaySettings | undefined {
  const { gatewayPort, serviceAccount, gatewayConcurrency, gatewayRate, namespace } = values;
  if (gatewayPort === undefined) return undefined;
  const row = relayOptions.serviceAccount;
  const accounts = readAccounts(serviceAccount ?? [], {
    wrong: (must, entry) => wrong({ ...row, must }, entry),
    missing: () => missing(row, "who functions are in the cluster"),
  });
  if (!namespace && environment.KUBERNETES_SERVICE_HOST)
    throw missing(relayOptions.namespace, "in a Pod, Secrets and Leases there are kept from functions");
  return {
    port: gatewayPort,
    ...accounts,
    limits: { concurrency: gatewayConcurrency, ratePerSecond: gatewayRate },
    ...(namespace !== undefined && { ownNamespace: namespace }),
  };
}
