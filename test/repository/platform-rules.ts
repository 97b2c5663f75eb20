import { builtinModules } from "node:module";
import { type Node, type SourceFile, walk } from "./source-file.ts";

/** Globals that one platform has and Web standards do not. */
const globals = new Set([
  ...["Buffer", "Bun", "Deno", "NodeJS", "__dirname", "__filename"],
  ...["clearImmediate", "global", "process", "require", "setImmediate"],
]);
const platformPackages = ["undici", "@hono/node-server", "commander", "ws"];

/** Whether a file has to run on every platform unchanged. */
export function mustBeNeutral(path: string): boolean {
  if (path.startsWith("infra/relay/")) return path !== "infra/relay/main.ts";
  return path.startsWith("functions/") || path === "adapters/scheduler/core.ts";
}

/** What a file uses of one platform alone. */
export function platformUses(file: SourceFile): string[] {
  const modules = file.imports
    .map(({ specifier }) => specifier)
    .filter((specifier) => /^(node|bun|deno|cloudflare):/.test(specifier) || isPlatformPackage(specifier));
  const names = new Set<string>();
  walk(file.program, (node, parent) => {
    if (node.type === "Identifier" && globals.has(String(node.name)) && !isMemberName(node, parent))
      names.add(String(node.name));
  });
  return [...modules, ...names].map((what) => `${file.path} uses ${what}`);
}

function isPlatformPackage(specifier: string): boolean {
  const inFolderOf = (name: string) => specifier === name || specifier.startsWith(`${name}/`);
  return builtinModules.includes(specifier) || platformPackages.some(inFolderOf);
}

/** Whether an identifier only names a member of something: `a.process`, `{ process: 1 }`. */
function isMemberName(node: Node, parent: Node | undefined): boolean {
  if (!parent || parent.computed === true) return false;
  if (parent.type === "Property" && parent.shorthand === true) return false;
  return (
    parent.property === node || parent.key === node || (parent.type === "TSQualifiedName" && parent.right === node)
  );
}
