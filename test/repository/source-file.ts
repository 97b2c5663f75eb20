import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ESTree, parseSync } from "vite";

export const root = join(import.meta.dirname, "../..");

/** Every file that is tracked or about to be, relative to the root. Files deleted but not yet committed are left out. */
export function projectFiles(): string[] {
  const git = (...args: string[]) =>
    execFileSync("git", ["ls-files", "-z", ...args], { cwd: root, encoding: "utf8", maxBuffer: 1 << 24 })
      .split("\0")
      .filter(Boolean);
  const deleted = new Set(git("--deleted"));
  return git("--cached", "--others", "--exclude-standard").filter((path) => !deleted.has(path));
}

export type Import = {
  specifier: string;
  typeOnly: boolean;
  /** The names it binds as values; `*` for the namespace. */
  names: readonly string[];
};

/** A TypeScript file as the rules see it. */
export type SourceFile = {
  /** Relative to the root. */
  path: string;
  lines: number;
  imports: readonly Import[];
  program: ESTree.Program;
};

export function readSource(path: string): SourceFile {
  return parseSource(path, readFileSync(join(root, path), "utf8"));
}

/** @throws where the text is no TypeScript. */
export function parseSource(path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const imports: Import[] = [];
  walk(program, (node) => {
    const found = importOf(node);
    if (found) imports.push(found);
  });
  return { path, lines: text.split("\n").length - 1, imports, program };
}

/** Any node: the rules look at a few kinds only. */
export type Node = { type: string; [field: string]: unknown };

/** Visits every node, parents first. */
export function walk(tree: object, visit: (node: Node, parent: Node | undefined) => void): void {
  const step = (value: unknown, parent: Node | undefined): void => {
    if (Array.isArray(value)) for (const item of value) step(item, parent);
    else if (isNode(value)) {
      visit(value, parent);
      for (const field of Object.values(value)) step(field, value);
    }
  };
  step(tree, undefined);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

function importOf(node: Node): Import | undefined {
  const specifier = (node.source as { value?: unknown } | null | undefined)?.value;
  if (typeof specifier !== "string") return undefined;
  switch (node.type) {
    case "ImportDeclaration": {
      const bound = node.specifiers as ESTree.ImportDeclaration["specifiers"];
      return {
        specifier,
        typeOnly: node.importKind === "type",
        names: bound.map(importedName).filter((n) => n !== ""),
      };
    }
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
      return { specifier, typeOnly: node.exportKind === "type", names: [] };
    case "ImportExpression":
      return { specifier, typeOnly: false, names: ["*"] };
    case "TSImportType":
      return { specifier, typeOnly: true, names: [] };
    default:
      return undefined;
  }
}

function importedName(specifier: ESTree.ImportDeclaration["specifiers"][number]): string {
  if (specifier.type === "ImportNamespaceSpecifier") return "*";
  if (specifier.type === "ImportDefaultSpecifier") return "default";
  if (specifier.importKind === "type") return "";
  return specifier.imported.type === "Identifier" ? specifier.imported.name : String(specifier.imported.value);
}
