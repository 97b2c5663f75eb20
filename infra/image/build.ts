/**
 * `npm run build:relay [FILE]`: the relay as one file that runs on Deno and on Node, by default `dist/relay.js`.
 * @module
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { builtinsWhenUsed, packagesCompressed } from "./bundle-plugins.ts";

const root = join(import.meta.dirname, "../..");

/** What one platform or one kind of credentials needs, and the others not. */
const SELDOM_NEEDED = ["undici", "@hono/node-server", "yaml", "commander"];

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "es2023",
  conditions: ["sluice-source"],
  minify: true,
  keepNames: true,
  legalComments: "eof",
  logLevel: "warning",
} satisfies BuildOptions;

/** Bundles the relay with everything that it loads. @returns what the bundler tells of it. */
export async function buildRelay(outfile: string) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const { metafile } = await build({
    ...common,
    entryPoints: ["infra/image/relay.ts"],
    outfile,
    format: "esm",
    define: { SLUICE_VERSION: JSON.stringify(version) },
    plugins: [packagesCompressed(SELDOM_NEEDED, common), builtinsWhenUsed],
    metafile: true,
  });
  return metafile;
}

if (import.meta.main) {
  const [outfile = "dist/relay.js"] = process.argv.slice(2);
  const { outputs } = await buildRelay(outfile);
  const [output] = Object.values(outputs);
  process.stdout.write(`${outfile}: ${Math.round((output?.bytes ?? 0) / 1024)} KiB\n`);
}
