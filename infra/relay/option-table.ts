import { isSecret, label } from "../../functions/contract/index.ts";
import { DEFAULT_LIMITS } from "./gateway/turns.ts";
import { electionOptions } from "./leader/election-options.ts";
import type { OptionTable } from "./option.ts";
import { shardOptions } from "./plan/shard-options.ts";

const FUNCTIONS = "The functions";
const CLUSTER = "The cluster";
const GATEWAY = "The gateway, for functions that hold no credentials of the cluster";
const OPERATIONS = "Operations";

const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

/**
 * All options of the relay, a row each: the help, the command line, the environment and the page about them come from here.
 * The order is that of the help, and the one in which errors are found.
 */
export const relayOptions = {
  cluster: {
    flag: "--cluster <name>",
    variable: "SLUICE_CLUSTER",
    group: FUNCTIONS,
    help: "the cluster's name, as the functions know it",
    must: "a DNS label: a-z, 0-9 and -, at most 63 characters",
    read: (text) => label.safeParse(text).data,
  },
  ingress: {
    flag: "--ingress <url>",
    variable: "SLUICE_INGRESS",
    group: FUNCTIONS,
    help: "where the functions are",
    must: "an http or https URL without credentials",
    read: plainUrl,
    quiet: true,
  },
  secret: {
    variable: "SLUICE_SECRET",
    group: FUNCTIONS,
    help: "what requests are signed with; several, with blanks between, while one is being replaced",
    must: "whsec_ and 24 to 64 bytes in base64",
    read: secretsOf,
    quiet: true,
  },
  secretFile: {
    flag: "--secret-file <file>",
    variable: "SLUICE_SECRET_FILE",
    group: FUNCTIONS,
    help: "a file with the secrets instead; read again while the relay runs, so that they can be replaced",
    must: "a path",
    read: (text) => text,
  },

  kubeconfig: {
    flag: "--kubeconfig <file>",
    variable: "KUBECONFIG",
    group: CLUSTER,
    help: "credentials of the cluster; without it the Pod's service account, then ~/.kube/config",
    must: "a path",
    read: (text) => text,
  },

  acceptCluster: {
    flag: "--accept-cluster <uid>",
    variable: "SLUICE_ACCEPT_CLUSTER",
    group: CLUSTER,
    help: "the uid of its namespace kube-system: of a cluster that was built anew under an old name; where none is known yet, the only one to accept",
    must: "a uid",
    read: (text) => (/^[\w-]{1,64}$/.test(text) ? text : undefined),
  },

  gatewayPort: {
    flag: "--gateway-port <port>",
    variable: "SLUICE_GATEWAY_PORT",
    group: GATEWAY,
    help: "let functions reach the API server through here; 0 takes a free port",
    must: "a port: 0 to 65535",
    read: port,
  },
  serviceAccount: {
    flag: "--service-account <account>",
    variable: "SLUICE_SERVICE_ACCOUNT",
    group: GATEWAY,
    help: "who functions are then in the cluster, namespace/name; again for a controller with one of its own, controller=namespace/name",
    must: "namespace/name, or controller=namespace/name",
    repeated: true,
    read: (text) => text.split(/[\s,]+/).filter((entry) => entry !== ""),
  },
  gatewayConcurrency: {
    flag: "--gateway-concurrency <n>",
    variable: "SLUICE_GATEWAY_CONCURRENCY",
    group: GATEWAY,
    help: "requests of a controller at once",
    default: String(DEFAULT_LIMITS.concurrency),
    must: "a whole number from 1 to 99999",
    read: wholeNumber,
  },
  gatewayRate: {
    flag: "--gateway-rate <n>",
    variable: "SLUICE_GATEWAY_RATE",
    group: GATEWAY,
    help: "requests of a controller a second; unused ones add up for 20 s",
    default: String(DEFAULT_LIMITS.ratePerSecond),
    must: "a whole number from 1 to 99999",
    read: wholeNumber,
  },
  namespace: {
    flag: "--namespace <name>",
    variable: "SLUICE_NAMESPACE",
    group: GATEWAY,
    help: "the relay's own namespace, whose Secrets and Leases are kept from functions; in a Pod the Pod's",
    must: "a DNS label",
    read: (text) => label.safeParse(text).data,
  },

  ...electionOptions,
  ...shardOptions,

  metricsPort: {
    flag: "--metrics-port <port>",
    variable: "SLUICE_METRICS_PORT",
    group: OPERATIONS,
    help: "where /metrics, /healthz and /readyz are; 0 takes a free port, off serves none",
    default: "8081",
    must: "a port, 0 to 65535, or off",
    read: (text) => (text === "off" ? ("off" as const) : port(text)),
  },
  bind: {
    flag: "--bind <address>",
    variable: "SLUICE_BIND",
    group: OPERATIONS,
    help: "the address that both ports are on: 127.0.0.1 for this machine alone, :: for IPv6 too",
    default: "0.0.0.0",
    must: "an IP address",
    read: (text) => (isAddress(text) ? text : undefined),
  },
  logLevel: {
    flag: "--log-level <level>",
    variable: "SLUICE_LOG_LEVEL",
    group: OPERATIONS,
    help: "the least that is logged",
    default: "info",
    must: `one of ${LOG_LEVELS.join(", ")}`,
    read: (text) => LOG_LEVELS.find((level) => level === text),
  },
} satisfies OptionTable;

/** Secrets with blanks or ends of lines between; undefined where there is none, or one is none. */
export function secretsOf(text: string): readonly string[] | undefined {
  const secrets = text.split(/\s+/).filter((part) => part !== "");
  return secrets.length > 0 && secrets.every(isSecret) ? secrets : undefined;
}

function plainUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url && ["http:", "https:"].includes(url.protocol) && url.username + url.password === "" ? url : undefined;
}

/** As a URL's host reads it: node:net is not loaded for this, which would cost memory on Deno. */
function isAddress(text: string): boolean {
  if (text.includes(":")) return /^[0-9a-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`);
  return /^\d/.test(text) && URL.parse(`http://${text}`)?.hostname === text;
}

function port(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 ? Number(text) : undefined;
}
