import * as promises from "node:fs/promises";
import { builtinModules } from "node:module";
import { type BuildOptions, build, type Plugin } from "esbuild";

const BUILTINS: ReadonlySet<string> = new Set(builtinModules);
/** Deno reads text itself: its `node:fs/promises` brings all of Node's streams, 5 MB. The rest of it is there when asked for. */
const FILES = `
  const node = () => process.getBuiltinModule("node:fs/promises");
  const read = (path) => Deno.readTextFile(path).catch((error) => {
    error.code ??= error.name;
    throw error;
  });
  const names = ${JSON.stringify(Object.keys(promises).filter((name) => name !== "readFile"))};
  module.exports = "Deno" in globalThis
    ? Object.defineProperties(
        { readFile: (path, options) => (options === "utf8" ? read(path) : node().readFile(path, options)) },
        Object.fromEntries(names.map((name) => [name, { enumerable: true, get: () => node()[name] }])),
      )
    : node();`;

/**
 * Node's own modules, loaded where they are first needed. As imports they would all be loaded at the start, those of the
 * other platform's code too.
 */
export const builtinsWhenNeeded: Plugin = {
  name: "builtins when needed",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?[a-z0-9_/]+$/ }, ({ path }) => {
      if (!path.startsWith("node:") && !BUILTINS.has(path)) return undefined;
      return { path: path.replace(/^(node:)?/, "node:"), namespace: "builtin" };
    });
    onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
      contents:
        path === "node:fs/promises" ? FILES : `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
      loader: "js",
    }));
  },
};

/**
 * Keeps packages as texts that are compiled where they are first needed. Deno parses all code of a file before it runs, and
 * without a cache to write to it does so at every start: measured, 28 bytes of memory for each byte of code, for good. A text
 * is one token.
 */
export function packagesAsText(packages: readonly string[], options: BuildOptions): Plugin {
  return {
    name: "packages as text",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[a-z@]/ }, ({ path, pluginData }) =>
        packages.includes(path) && pluginData !== "inside" ? { path, namespace: "text" } : undefined,
      );
      onLoad({ filter: /.*/, namespace: "text" }, async ({ path }) => {
        const { outputFiles } = await build({
          ...options,
          stdin: { contents: `export * from ${JSON.stringify(path)};`, resolveDir: `${options.absWorkingDir}` },
          format: "cjs",
          plugins: [builtinsWhenNeeded],
          write: false,
        });
        const code = outputFiles?.[0]?.text ?? "";
        return {
          contents: `new Function("module", ${JSON.stringify(code)})(module);`,
          loader: "js",
        };
      });
    },
  };
}
