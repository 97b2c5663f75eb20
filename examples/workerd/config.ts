import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What a Worker in workerd is given. Paths are relative to the file that this becomes. */
export type Settings = {
  script: string;
  kvScript: string;
  /** Where Durable Objects keep their rows. */
  objectsFolder: string;
  /** Texts under the names of their bindings. */
  texts: Readonly<Record<string, string>>;
  /** Of loopback, where it listens; 0 takes a free one. */
  port?: number;
};

/** workerd's configuration in Cap'n Proto: what wrangler.toml says, and what stands for Cloudflare around it. */
export function configOf({ script, kvScript, objectsFolder, texts, port = 0 }: Settings): string {
  const date = quoted(compatibilityDate());
  const texted = Object.entries(texts).map(([name, text]) => `    (name = ${quoted(name)}, text = ${quoted(text)}),`);
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "kv", worker = .kv),
    (name = "objects", disk = (path = ${quoted(objectsFolder)}, writable = true)),
    (name = "internet", network = (allow = ["local", "private", "public"], tlsOptions = (trustBrowserCas = true))),
  ],
  # Measured with 2,000 objects: 30 MB less, for no more CPU.
  v8Flags = ["--max-semi-space-size=2"],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);

const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed ${quoted(script)})],
  compatibilityDate = ${date},
  durableObjectNamespaces = [(className = "SchedulerObject", uniqueKey = "sluice-scheduler", enableSql = true)],
  durableObjectStorage = (localDisk = "objects"),
  bindings = [
    (name = "SLUICE_SCHEDULER", durableObjectNamespace = "SchedulerObject"),
    (name = "SLUICE_KV", kvNamespace = "kv"),
${texted.join("\n")}
  ],
);

const kv :Workerd.Worker = (
  modules = [(name = "kv", esModule = embed ${quoted(kvScript)})],
  compatibilityDate = ${date},
  durableObjectNamespaces = [(className = "Values", uniqueKey = "sluice-kv", enableSql = true)],
  durableObjectStorage = (localDisk = "objects"),
  bindings = [(name = "VALUES", durableObjectNamespace = "Values")],
);
`;
}

/** The example's own, so that it runs here as it does there. */
function compatibilityDate(): string {
  const toml = readFileSync(join(import.meta.dirname, "../../wrangler.toml"), "utf8");
  const date = /^compatibility_date = "(.*)"$/m.exec(toml)?.[1];
  if (!date) throw new Error("wrangler.toml has no compatibility_date");
  return date;
}

const quoted = (text: string) => JSON.stringify(text);
