import { join } from "node:path";
import { build } from "vite";

const ROOT = join(import.meta.dirname, "../..");

/**
 * One module of a Worker and all that it imports, as workerd takes it.
 * @param entry from the project's root.
 * @param name of the file in `folder`.
 * @param define texts that stand for names in the code.
 * @returns the file's path.
 */
export async function bundle(
  entry: string,
  { folder, name, define = {} }: { folder: string; name: string; define?: Record<string, string> },
): Promise<string> {
  await build({
    ...{ root: ROOT, configFile: false, logLevel: "warn", define },
    ssr: { noExternal: true, target: "webworker", resolve: { conditions: ["sluice-source"] } },
    build: {
      ...{ ssr: entry, outDir: folder, emptyOutDir: false, target: "es2024", minify: false },
      rolldownOptions: { output: { entryFileNames: name } },
    },
  });
  return join(folder, name);
}
