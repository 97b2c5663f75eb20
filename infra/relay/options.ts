import { isSecret, label } from "../../functions/contract/index.ts";
import { readAccounts } from "./gateway/accounts.ts";
import type { GatewayIdentity } from "./gateway/gateway.ts";
import type { GatewayLimits } from "./gateway/turns.ts";

/** What a relay that runs apart from the functions is told. */
export type RelaySettings = {
  /** The cluster's name, as the functions know it. */
  cluster: string;
  /** Where the functions' ingress is. */
  ingress: URL;
  secrets: readonly string[];
  /** Where functions reach the API server through this relay, if they may. */
  gateway?: GatewaySettings;
};

export type GatewaySettings = GatewayIdentity & {
  /** Where it listens; 0 takes a free one. */
  port: number;
  /** Of each controller, where they are not the usual ones. */
  limits?: Partial<GatewayLimits>;
};

/** Flags of the command line. There is none for secrets: a command line is open to everybody on the machine. */
export type RelayFlags = {
  cluster?: string;
  ingress?: string;
  gatewayPort?: string;
  gatewayConcurrency?: string;
  gatewayRate?: string;
  /** `namespace/name` for all controllers, `controller=namespace/name` for one. */
  serviceAccount?: readonly string[];
};

/**
 * Settings from flags, else from the environment: `SLUICE_CLUSTER`, `SLUICE_INGRESS`, and `SLUICE_SECRET` with one secret
 * or, while it is being replaced, several with blanks between. For the gateway `SLUICE_GATEWAY_PORT`,
 * `SLUICE_SERVICE_ACCOUNT` (several with blanks or commas between), `SLUICE_GATEWAY_CONCURRENCY`, `SLUICE_GATEWAY_RATE` and,
 * where the relay runs in the cluster, `SLUICE_NAMESPACE`.
 * @throws TypeError for a setting that is missing or wrong. It names the flag and the variable, and quotes no secret.
 * @example relaySettings({ cluster: "home" }, process.env)
 */
export function relaySettings(flags: RelayFlags, environment: Record<string, string | undefined>): RelaySettings {
  const cluster = flags.cluster ?? environment.SLUICE_CLUSTER ?? "";
  if (cluster === "") throw new TypeError(missing("--cluster", "SLUICE_CLUSTER", "the cluster's name"));
  if (!label.safeParse(cluster).success)
    throw new TypeError(
      wrong("--cluster", "SLUICE_CLUSTER", "a DNS label: a-z, 0-9 and -, at most 63 characters", cluster),
    );

  const ingress = flags.ingress ?? environment.SLUICE_INGRESS ?? "";
  if (ingress === "") throw new TypeError(missing("--ingress", "SLUICE_INGRESS", "the URL of the functions"));
  const url = URL.parse(ingress);
  if (!url || !["http:", "https:"].includes(url.protocol) || url.username !== "" || url.password !== "")
    throw new TypeError(wrong("--ingress", "SLUICE_INGRESS", "an http or https URL without credentials"));

  const secrets = (environment.SLUICE_SECRET ?? "").split(/\s+/).filter((text) => text !== "");
  if (secrets.length === 0)
    throw new TypeError("SLUICE_SECRET is needed: what requests to the functions are signed with");
  if (!secrets.every(isSecret)) throw new TypeError("SLUICE_SECRET must be whsec_ and 24 to 64 bytes in base64");

  const gateway = gatewaySettings(flags, environment);
  return { cluster, ingress: url, secrets, ...(gateway && { gateway }) };
}

function gatewaySettings(
  flags: RelayFlags,
  environment: Record<string, string | undefined>,
): GatewaySettings | undefined {
  const port = flags.gatewayPort ?? environment.SLUICE_GATEWAY_PORT ?? "";
  if (port === "") return undefined;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new TypeError(wrong("--gateway-port", "SLUICE_GATEWAY_PORT", "a port: 0 to 65535", port));

  const entries = flags.serviceAccount ?? environment.SLUICE_SERVICE_ACCOUNT?.split(/[\s,]+/).filter(Boolean) ?? [];
  const accounts = readAccounts(entries, {
    wrong: (must, entry) => new TypeError(wrong("--service-account", "SLUICE_SERVICE_ACCOUNT", must, entry)),
    missing: () =>
      new TypeError(missing("--service-account", "SLUICE_SERVICE_ACCOUNT", "who functions are in the cluster")),
  });
  const concurrency = wholeNumber(
    ["--gateway-concurrency", "SLUICE_GATEWAY_CONCURRENCY"],
    flags.gatewayConcurrency ?? environment.SLUICE_GATEWAY_CONCURRENCY,
  );
  const ratePerSecond = wholeNumber(
    ["--gateway-rate", "SLUICE_GATEWAY_RATE"],
    flags.gatewayRate ?? environment.SLUICE_GATEWAY_RATE,
  );
  const limits = { ...(concurrency && { concurrency }), ...(ratePerSecond && { ratePerSecond }) };

  const ownNamespace = environment.SLUICE_NAMESPACE ?? "";
  if (ownNamespace !== "" && !label.safeParse(ownNamespace).success)
    throw new TypeError(`SLUICE_NAMESPACE must be a DNS label, got "${ownNamespace.slice(0, 80)}"`);
  if (ownNamespace === "" && environment.KUBERNETES_SERVICE_HOST)
    throw new TypeError("SLUICE_NAMESPACE is needed in a Pod: Secrets and Leases there are kept from functions");
  return {
    port: Number(port),
    ...accounts,
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(ownNamespace !== "" && { ownNamespace }),
  };
}

function wholeNumber([flag, variable]: [string, string], text = ""): number | undefined {
  if (text === "") return undefined;
  if (!/^\d{1,5}$/.test(text) || Number(text) < 1)
    throw new TypeError(wrong(flag, variable, "a whole number from 1 to 99999", text));
  return Number(text);
}

function missing(flag: string, variable: string, what: string): string {
  return `${flag} or ${variable} is needed: ${what}`;
}

function wrong(flag: string, variable: string, must: string, got?: string): string {
  return `${flag} (${variable}) must be ${must}${got === undefined ? "" : `, got "${got.slice(0, 80)}"`}`;
}
