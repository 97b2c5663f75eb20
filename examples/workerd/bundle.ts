/**
 * A process that makes one module of each Worker and all that it imports: `bundle.ts BUNDLES`, which is JSON.
 * @module
 */
import { join } from "node:path";
import { build } from "vite";

export type Bundle = {
  /** The Worker's own file, from the project's root. */
  entry: string;
  folder: string;
  /** Of the file in the folder. */
  name: string;
  /** Texts that stand for names in the code. */
  define?: Record<string, string>;
};

const root = join(import.meta.dirname, "../..");

/** Makes one module of each. */
export async function bundleAll(bundles: readonly Bundle[]): Promise<void> {
  await Promise.all(bundles.map(bundle));
}

async function bundle({ entry, folder, name, define = {} }: Bundle): Promise<void> {
  await build({
    ...{ root, configFile: false, logLevel: "warn", define },
    ssr: { noExternal: true, target: "webworker", resolve: { conditions: ["sluice-source"] } },
    build: {
      ...{ ssr: entry, outDir: folder, emptyOutDir: false, target: "es2024", minify: false },
      rolldownOptions: { output: { entryFileNames: name } },
    },
  });
}

if (import.meta.main) await bundleAll(JSON.parse(process.argv[2] ?? "[]") as Bundle[]);
