import { builtinModules } from "node:module";
import { type BuildOptions, build, type Plugin } from "esbuild";

const BUILTINS: ReadonlySet<string> = new Set(builtinModules);

/**
 * Node's own modules, loaded where they are first needed. As imports they would all be loaded at the start, those of the
 * other platform's code too.
 */
export const builtinsWhenNeeded: Plugin = {
  name: "builtins when needed",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?[a-z0-9_/]+$/ }, ({ path }) =>
      path.startsWith("node:") || BUILTINS.has(path)
        ? { path: path.replace(/^(node:)?/, "node:"), namespace: "builtin" }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
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
