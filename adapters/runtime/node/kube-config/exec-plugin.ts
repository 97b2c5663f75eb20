import { createHash } from "node:crypto";
import type { Environment, TlsOptions } from "./credentials.ts";
import { type EntryPlace, readPem, refuse } from "./entry.ts";
import { PluginFailure, runPlugin } from "./run-plugin.ts";
import { type Cluster, type ExecConfig, type ExecCredential, execCredential } from "./schema.ts";

/** Credentials are read once a minute: one that ends before the next time is renewed now. */
const RENEW_BEFORE_MS = 60_000;

/** Apart by this much at least: a plugin that fails, or whose token is refused, is no reason to start processes in a loop. */
const BETWEEN_RUNS_MS = 5_000;

/** How long a plugin may take: it may have to ask its provider, but nobody types anything. */
const TIMEOUT_MS = 30_000;

/** Where cluster-wide settings for plugins stand in a kubeconfig. */
const CLUSTER_CONFIG = "client.authentication.k8s.io/exec";

/** What the relay itself is given, and no plugin needs. */
const KEPT_BACK = new Set(["SLUICE_SECRET"]);

export type ExecPluginOptions = {
  /** What a plugin gets beside its own variables, and where commands are looked for (PATH). */
  env: Environment;
  /** Wall clock, in milliseconds. */
  now?: () => number;
  timeoutMs?: number;
};

type Outcome = { authorization: string | undefined; tls: TlsOptions; expiresAt: number };
type Held = { config: string; at: number; outcome?: Outcome; failure?: string };

/**
 * The plugin of a user (`client.authentication.k8s.io`, v1 and v1beta1): run when there is nothing yet, when what it printed
 * ends, when the API server refused that, and when its configuration changed.
 */
export class ExecPlugin {
  readonly #env: Environment;
  readonly #now: () => number;
  readonly #timeoutMs: number;
  #held: Held | undefined;

  constructor({ env, now = Date.now, timeoutMs = TIMEOUT_MS }: ExecPluginOptions) {
    this.#env = env;
    this.#now = now;
    this.#timeoutMs = timeoutMs;
  }

  /** @throws Error naming the file, the context and what is wrong with the plugin; it shows nothing that is secret. */
  async credentials(
    place: EntryPlace,
    exec: ExecConfig,
    { cluster, refused }: { cluster: Cluster; refused: boolean },
  ): Promise<Outcome> {
    const config = createHash("sha256")
      .update(JSON.stringify([place.file, exec, cluster]))
      .digest("base64");
    if (this.#held?.config !== config || this.#isDue(this.#held, refused))
      this.#held = { config, at: this.#now(), ...(await this.#run(place, exec, cluster)) };
    const { outcome, failure = "" } = this.#held;
    return outcome ?? refuse(place, "exec", failure);
  }

  #isDue({ at, outcome }: Held, refused: boolean): boolean {
    const now = this.#now();
    const age = now - at;
    // A clock that stepped back must not hold a plugin up for as long as the step was.
    if (age >= 0 && age < BETWEEN_RUNS_MS) return false;
    return refused || outcome === undefined || now >= outcome.expiresAt - RENEW_BEFORE_MS;
  }

  async #run(place: EntryPlace, exec: ExecConfig, cluster: Cluster): Promise<Pick<Held, "outcome" | "failure">> {
    if (exec.interactiveMode === "Always") return { failure: "interactiveMode Always needs somebody who types" };
    if (exec.interactiveMode === undefined && exec.apiVersion.endsWith("/v1"))
      return { failure: "interactiveMode is missing: v1 needs it" };
    const spec = { interactive: false, ...(exec.provideClusterInfo && { cluster: await clusterInfo(place, cluster) }) };
    const info = JSON.stringify({ kind: "ExecCredential", apiVersion: exec.apiVersion, spec });
    const shared = Object.entries(this.#env).filter(([name]) => !KEPT_BACK.has(name));
    const own = (exec.env ?? []).map(({ name, value }): [string, string] => [name, value]);
    const env = { ...Object.fromEntries(shared), ...Object.fromEntries(own), KUBERNETES_EXEC_INFO: info };
    try {
      const stdout = await runPlugin(exec, { env, beside: place.file, timeoutMs: this.#timeoutMs });
      return { outcome: outcomeOf(stdout, exec.apiVersion) };
    } catch (error) {
      if (!(error instanceof PluginFailure)) throw error;
      return { failure: error.message };
    }
  }
}

/** What a plugin is told of its cluster, on request. */
async function clusterInfo(place: EntryPlace, cluster: Cluster): Promise<object> {
  const ca = await readPem(place, cluster, "certificate-authority");
  const config = cluster.extensions?.find(({ name }) => name === CLUSTER_CONFIG)?.extension;
  return {
    server: cluster.server,
    ...(cluster["tls-server-name"] && { "tls-server-name": cluster["tls-server-name"] }),
    ...(cluster["insecure-skip-tls-verify"] && { "insecure-skip-tls-verify": true }),
    ...(ca !== undefined && { "certificate-authority-data": Buffer.from(ca).toString("base64") }),
    ...(cluster["proxy-url"] && { "proxy-url": cluster["proxy-url"] }),
    ...(config !== undefined && { config }),
  };
}

function outcomeOf(stdout: string, apiVersion: string): Outcome {
  const { status } = parsed(stdout, apiVersion);
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = status;
  if (!cert !== !key) throw new PluginFailure(`it printed ${cert ? "a certificate" : "a key"} without the other half`);
  if (!token && !cert) throw new PluginFailure("it printed neither a token nor a certificate");
  return {
    authorization: token ? `Bearer ${token.trim()}` : undefined,
    tls: cert && key ? { cert, key } : {},
    expiresAt: expirationTimestamp ? Date.parse(expirationTimestamp) : Number.POSITIVE_INFINITY,
  };
}

/** Nothing of what was printed goes into an error: it may be a token. */
function parsed(stdout: string, apiVersion: string): ExecCredential {
  let value: unknown;
  try {
    value = JSON.parse(stdout);
  } catch {
    throw new PluginFailure(`it printed ${stdout.trim() === "" ? "nothing" : "no JSON"}`);
  }
  const result = execCredential.safeParse(value);
  if (!result.success) {
    const path = result.error.issues[0]!.path.join(".");
    throw new PluginFailure(`it printed no ExecCredential: ${path || "the whole"} is missing or wrong`);
  }
  if (result.data.apiVersion !== apiVersion)
    throw new PluginFailure(`it printed an ExecCredential of another version than ${apiVersion}`);
  return result.data;
}
