import { dirname } from "node:path/posix";
import { resolveImport } from "./import-rules.ts";
import { type Node, type SourceFile, walk } from "./source-file.ts";

/** The ports that have a contract suite, and the folder where their adapters live. */
const ports = new Map([
  ["Scheduler", "adapters/scheduler/"],
  ["KeyValue", "adapters/kv/"],
]);

/** Adapters of a port that no test under test/contract/ imports. */
export function adaptersWithoutContractTest(files: readonly SourceFile[]): string[] {
  const tested = new Set(
    files
      .filter(({ path }) => path.startsWith("test/contract/") && path.endsWith(".test.ts"))
      .flatMap((file) => file.imports.map(({ specifier }) => resolveImport(file, specifier))),
  );
  return adapters(files)
    .filter(({ path }) => !tested.has(path))
    .map(({ path, port }) => `${path} implements ${port}, but no test under test/contract/ imports it`);
}

/**
 * Files of an adapter folder that export a class which implements the port, or a function which returns one. What
 * another file of the folder builds on is the adapters' common part, and none itself.
 */
export function adapters(files: readonly SourceFile[]): { path: string; port: string }[] {
  const builtOn = new Set(
    files
      .filter(({ path }) => path.startsWith("adapters/"))
      .flatMap((file) => file.imports.map(({ specifier }) => ({ file, target: resolveImport(file, specifier) })))
      .filter(({ file, target }) => dirname(file.path) === dirname(target))
      .map(({ target }) => target),
  );
  return files.flatMap((file) =>
    [...ports]
      .filter(([port, folder]) => file.path.startsWith(folder) && !builtOn.has(file.path) && offers(file, port))
      .map(([port]) => ({ path: file.path, port })),
  );
}

function offers(file: SourceFile, port: string): boolean {
  let found = false;
  walk(file.program, (node) => {
    if (node.type !== "ExportNamedDeclaration" || !node.declaration) return;
    const declared = node.declaration as Node;
    const promises = [declared.implements, declared.returnType, declaredTypes(declared)];
    found ||= promises.some((part) => part && mentions(part, port));
  });
  return found;
}

/** The annotations of `export const open = (…): Scheduler => …` and `export const kv: KeyValue = …`. */
function declaredTypes(declaration: Node): unknown {
  if (declaration.type !== "VariableDeclaration") return undefined;
  return (declaration.declarations as { id: Node; init: Node | null }[]).map(({ id, init }) => [
    id.typeAnnotation,
    init?.type === "ArrowFunctionExpression" ? init.returnType : undefined,
  ]);
}

function mentions(tree: unknown, name: string): boolean {
  let found = false;
  walk(tree as object, (node) => {
    found ||= node.type === "Identifier" && node.name === name;
  });
  return found;
}
