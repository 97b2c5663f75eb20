import { posix } from "node:path";
import type { SourceFile } from "./source-file.ts";

/** Where a file lies, and which of our folders it may import. The first row that fits holds. */
const layers: readonly { from: string; may: readonly string[]; butNot?: readonly string[] }[] = [
  { from: "functions/contract/", may: ["functions/contract/"] },
  { from: "functions/ports/", may: ["functions/ports/", "functions/contract/"] },
  { from: "functions/kube/", may: ["functions/kube/", "functions/ports/", "functions/contract/"] },
  {
    from: "functions/controller/",
    may: ["functions/controller/", "functions/kube/", "functions/ports/", "functions/contract/"],
  },
  {
    from: "functions/http/",
    may: ["functions/http/", "functions/controller/", "functions/kube/", "functions/ports/", "functions/contract/"],
  },
  { from: "functions/", may: ["functions/"] },

  // The only composition roots among the adapters.
  { from: "adapters/runtime/", may: ["adapters/", "functions/", "infra/relay/"] },
  { from: "adapters/testing/", may: ["adapters/", "functions/", "infra/relay/"] },
  {
    from: "adapters/",
    may: ["adapters/", "functions/ports/", "functions/contract/"],
    butNot: ["adapters/runtime/", "adapters/testing/"],
  },

  { from: "infra/relay/main.ts", may: ["infra/relay/", "adapters/", "functions/"] },
  { from: "infra/relay/", may: ["infra/relay/", "functions/kube/", "functions/ports/", "functions/contract/"] },
  { from: "infra/cli/", may: ["infra/", "adapters/", "functions/"] },

  // Examples import the package by its name, as its users do.
  // The lab shows the parts apart, so it composes them itself.
  { from: "examples/lab/", may: ["examples/lab/", "infra/relay/", "adapters/runtime/"] },
  {
    from: "examples/workerd/",
    may: ["examples/workerd/", "examples/documents/", "adapters/runtime/node/", "infra/image/"],
  },
  { from: "examples/", may: ["examples/"] },
  { from: "test/", may: ["test/", "functions/", "adapters/", "infra/", "examples/"] },
];

/** The imports of a file that point the wrong way. */
export function wrongImports(file: SourceFile, packageName = "sluice"): string[] {
  return file.imports.flatMap(({ specifier }) => {
    if (specifier === packageName || specifier.startsWith(`${packageName}/`))
      return /^(examples|test)\//.test(file.path) ? [] : [`${file.path} imports its own package as ${specifier}`];
    if (!specifier.startsWith(".")) return [];
    if (!/\.(ts|mjs|json)$/.test(specifier)) return [`${file.path} imports ${specifier} without its extension`];
    const target = resolveImport(file, specifier);
    return isAllowed(file.path, target) ? [] : [`${file.path} may not import ${target}`];
  });
}

/** The path, from the root, that a relative import means. */
export function resolveImport(file: SourceFile, specifier: string): string {
  return posix.join(posix.dirname(file.path), specifier);
}

function isAllowed(from: string, target: string): boolean {
  const layer = layers.find((row) => from.startsWith(row.from));
  // A config file at the root belongs to no layer.
  if (!layer) return !target.startsWith("..");
  const inside = (folders: readonly string[] = []) => folders.some((folder) => target.startsWith(folder));
  return inside(layer.may) && !inside(layer.butNot);
}

/** These files and all of ours that they load when they run, types left aside. */
export function withTheirImports(files: readonly SourceFile[], isStart: (path: string) => boolean): SourceFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const found = new Set<SourceFile>();
  const add = (file: SourceFile | undefined) => {
    if (!file || found.has(file)) return;
    found.add(file);
    for (const { specifier, typeOnly } of file.imports)
      if (specifier.startsWith(".") && !typeOnly) add(byPath.get(resolveImport(file, specifier)));
  };
  for (const file of files) if (isStart(file.path)) add(file);
  return [...found];
}
