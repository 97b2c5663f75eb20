import { builtinModules } from "node:module";
import { deflateRawSync } from "node:zlib";
import { type BuildOptions, build, type Plugin, type PluginBuild } from "esbuild";

const BUILTINS: ReadonlySet<string> = new Set(builtinModules);

/** A builtin, resolved by its name with `node:`. */
function resolveBuiltins({ onResolve }: PluginBuild): void {
  onResolve({ filter: /^(node:)?[a-z0-9_/]+$/ }, ({ path }) =>
    path.startsWith("node:") || BUILTINS.has(path)
      ? { path: path.replace(/^(node:)?/, "node:"), namespace: "builtin" }
      : undefined,
  );
}

/** Node's own modules, as CommonJS asks for them. */
const builtins: Plugin = {
  name: "builtins",
  setup(setup) {
    resolveBuiltins(setup);
    setup.onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
      loader: "js",
    }));
  },
};

/** Deno reads a text itself: its `node:fs/promises` brings all of Node's streams. */
const READ_FILE = `(path, options) => options === "utf8"
  ? Deno.readTextFile(path).catch((error) => {
      error.code ??= error.name;
      throw error;
    })
  : load().readFile(path, options)`;

/**
 * Node's own modules, each loaded when something of it is first used. As imports they would all be loaded at the start, those
 * of the other platform's code too: 10 MB on Deno.
 */
export const builtinsWhenUsed: Plugin = {
  name: "builtins when used",
  setup(setup) {
    resolveBuiltins(setup);
    setup.onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
      contents: `
        const load = () => process.getBuiltinModule(${JSON.stringify(path)});
        const names = ${JSON.stringify(Object.keys(process.getBuiltinModule(path) ?? {}))};
        module.exports = {};
        for (const name of names)
          Object.defineProperty(module.exports, name, { enumerable: true, configurable: true, get: () => load()[name] });
        ${path === "node:fs/promises" ? `if ("Deno" in globalThis) Object.defineProperty(module.exports, "readFile", { value: ${READ_FILE}, enumerable: true });` : ""}`,
      loader: "js",
    }));
  },
};

/**
 * Keeps packages compressed, to be compiled where they are first needed. Deno parses all code of a file before it runs, and
 * without a cache to write to it does so at every start: measured, 28 bytes of memory for each byte of code, for good.
 */
export function packagesCompressed(packages: readonly string[], options: BuildOptions): Plugin {
  return {
    name: "packages compressed",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[a-z@]/ }, ({ path }) =>
        packages.includes(path) ? { path, namespace: "compressed" } : undefined,
      );
      onLoad({ filter: /.*/, namespace: "compressed" }, async ({ path }) => {
        const { outputFiles } = await build({
          ...options,
          stdin: { contents: `export * from ${JSON.stringify(path)};`, resolveDir: `${options.absWorkingDir}` },
          format: "cjs",
          plugins: [builtins],
          write: false,
        });
        const code = deflateRawSync(outputFiles?.[0]?.text ?? "", { level: 9 }).toString("base64");
        return {
          contents: `
            const { inflateRawSync } = process.getBuiltinModule("node:zlib");
            const { Buffer } = process.getBuiltinModule("node:buffer");
            const code = inflateRawSync(Buffer.from(${JSON.stringify(code)}, "base64")).toString();
            new Function("module", code)(module);`,
          loader: "js",
        };
      });
    },
  };
}
