import { readFile } from "node:fs/promises";
import { delimiter } from "node:path";
import { readCluster } from "./cluster.ts";
import type { CredentialSource, Credentials, Environment } from "./credentials.ts";
import { ExecPlugin, type ExecPluginOptions } from "./exec-plugin.ts";
import { type KubeConfig, kubeConfig } from "./schema.ts";
import { readUser } from "./user.ts";

/** One file of KUBECONFIG. The paths in it are relative to its folder. */
type Loaded = { file: string; config: KubeConfig };

/**
 * The current context of one kubeconfig, or of several that are merged as kubectl does: the first to name something wins.
 * The context is chosen once: `kubectl config use-context` does not lead a running process to another cluster.
 * @param paths the value of KUBECONFIG.
 * @param options `env`: where proxies are named, and what an exec plugin gets.
 * @throws Error naming the file, the context and the field, for a file that cannot be read, a plugin that fails, and an
 * authentication that is not supported here (`auth-provider`, impersonation). It quotes nothing of the file.
 * @example const source = kubeConfigSource(process.env.KUBECONFIG!, { env: process.env });
 */
export function kubeConfigSource(paths: string, options: ExecPluginOptions = { env: {} }): CredentialSource {
  let chosen: string | undefined;
  const plugin = new ExecPlugin(options);
  return async (refused = false) => {
    const loaded = await load(paths.split(delimiter).filter((path) => path !== ""));
    chosen ??= loaded.map(({ config }) => config["current-context"]).find((name) => name);
    if (chosen === undefined) throw new Error(`kubeconfig ${paths}: current-context is missing`);
    return credentialsOf(loaded, chosen, { plugin, refused, env: options.env });
  };
}

async function load(files: readonly string[]): Promise<Loaded[]> {
  const loaded: Loaded[] = [];
  for (const file of files) {
    let text: string;
    try {
      text = await readFile(file, "utf8");
    } catch (cause) {
      // As kubectl: of several files, some may be absent.
      if (files.length > 1 && (cause as NodeJS.ErrnoException).code === "ENOENT") continue;
      throw new Error(`kubeconfig ${file}: cannot be read (${(cause as NodeJS.ErrnoException).code})`);
    }
    loaded.push({ file, config: await parseConfig(file, text) });
  }
  return loaded;
}

async function parseConfig(file: string, text: string): Promise<KubeConfig> {
  // Loaded here: 6 MB that a process with a service account can do without.
  const { parse } = await import("yaml");
  let value: unknown;
  try {
    // A pretty error would quote the line, and with it a token.
    value = parse(text, { prettyErrors: false, logLevel: "error" });
  } catch {
    throw new Error(`kubeconfig ${file}: is no YAML`);
  }
  const result = kubeConfig.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const field = issue.path.length === 0 ? "the document" : issue.path.join(".");
  throw new Error(`kubeconfig ${file}: ${field}: ${issue.message}`);
}

async function credentialsOf(
  loaded: readonly Loaded[],
  contextName: string,
  { env, ...exec }: { plugin: ExecPlugin; refused: boolean; env: Environment },
): Promise<Credentials> {
  const { context } = pick(loaded, contextName, "contexts", contextName).entry;
  const cluster = pick(loaded, contextName, "clusters", context.cluster);
  const { tls, ...reached } = await readCluster(cluster, cluster.entry.cluster, env);
  if (context.user === "") return { ...reached, tls };
  const user = pick(loaded, contextName, "users", context.user);
  const ofUser = await readUser(user, user.entry.user, { ...exec, cluster: cluster.entry.cluster });
  const { authorization } = ofUser;
  return { ...reached, ...(authorization !== undefined && { authorization }), tls: { ...tls, ...ofUser.tls } };
}

type Section = "clusters" | "contexts" | "users";
type Entry<S extends Section> = NonNullable<KubeConfig[S]>[number];

function pick<S extends Section>(loaded: readonly Loaded[], context: string, section: S, name: string) {
  for (const { file, config } of loaded)
    for (const entry of (config[section] ?? []) as Entry<S>[])
      if (entry.name === name) return { file, context, at: `${section}[${name}]`, entry };
  const files = loaded.map(({ file }) => file).join(", ");
  throw new Error(`kubeconfig ${files}: context ${context}: ${section} has no "${name}"`);
}
