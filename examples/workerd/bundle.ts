/**
 * A process that makes one module of each Worker and all that it imports: `bundle.ts BUNDLES`, which is JSON.
 * @module
 */
import { join } from "node:path";
import { type BuildOptions, build } from "esbuild";

export type Bundle = {
  /** The Worker's own file, from the project's root. */
  entry: string;
  folder: string;
  /** Of the file in the folder. */
  name: string;
  /** Texts that stand for names in the code. */
  define?: Record<string, string>;
};

/** As wrangler bundles, with our own sources. */
const AS_WRANGLER = {
  absWorkingDir: join(import.meta.dirname, "../.."),
  bundle: true,
  format: "esm",
  target: "es2024",
  platform: "neutral",
  mainFields: ["browser", "module", "main"],
  conditions: ["sluice-source", "workerd", "worker", "browser"],
  external: ["cloudflare:*"],
  logLevel: "warning",
} satisfies BuildOptions;

/** Makes one module of each. */
export async function bundleAll(bundles: readonly Bundle[]): Promise<void> {
  await Promise.all(bundles.map(bundle));
}

async function bundle({ entry, folder, name, define = {} }: Bundle): Promise<void> {
  await build({ ...AS_WRANGLER, entryPoints: [entry], outfile: join(folder, name), define });
}

if (import.meta.main) await bundleAll(JSON.parse(process.argv[2] ?? "[]") as Bundle[]);
