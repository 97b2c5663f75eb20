import { type Node, type SourceFile, walk } from "./source-file.ts";

export const longestFile = 400;
export const longestMedian = 120;

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

export function tooLong(file: SourceFile): string[] {
  return file.lines > longestFile ? [`${file.path} has ${file.lines} lines, more than ${longestFile}`] : [];
}

const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const emptyNames = new Set(["util", "utils", "helper", "helpers", "misc", "common", "shared"]);

/** Folders and files are in kebab-case, and named by what they hold. */
export function badName(path: string): string[] {
  const parts = path.split(/[/.]/).filter(Boolean);
  return parts.flatMap((part) => {
    if (emptyNames.has(part)) return [`${path}: "${part}" says nothing about what is in it`];
    return kebabCase.test(part) ? [] : [`${path}: "${part}" is not kebab-case`];
  });
}

/** Tools ask for a default export in their config files, and Workers in their entry file; nothing else has one. */
export function defaultExports(file: SourceFile): string[] {
  if (/(\.config|\/worker)\.ts$/.test(file.path)) return [];
  const found: string[] = [];
  walk(file.program, (node) => {
    if (node.type === "ExportDefaultDeclaration" || isExportedAsDefault(node))
      found.push(`${file.path} has a default export`);
  });
  return found;
}

function isExportedAsDefault(node: Node): boolean {
  return node.type === "ExportSpecifier" && (node.exported as { name?: string }).name === "default";
}

/** `import { z }` keeps every locale of zod: 70 kB more in a Worker than `import * as z`. */
export function heavyZodImports(file: SourceFile): string[] {
  return file.imports
    .filter(
      ({ specifier, typeOnly, names }) => /^zod(\/|$)/.test(specifier) && !typeOnly && names.some((n) => n !== "*"),
    )
    .map(({ names }) => `${file.path} imports { ${names.join(", ")} } from zod: write import * as z`);
}

const idleCalls = new Set(["setTimeout", "setInterval", "sleep"]);
const idleTests = new Set(["skip", "only", "todo", "fails", "skipIf", "runIf", "retry"]);
const testFunctions = new Set(["it", "test", "describe", "suite", "bench"]);

/** Tests wait on conditions, never by the clock, and none is left out or tried again. */
export function lazyTests(file: SourceFile): string[] {
  if (!file.path.endsWith(".test.ts")) return [];
  const found = new Set<string>();
  if (file.imports.some(({ specifier }) => /^(node:)?timers\/promises$/.test(specifier))) found.add("timers/promises");
  walk(file.program, (node) => {
    if (node.type === "CallExpression") {
      const callee = node.callee as Node;
      if (callee.type === "Identifier" && idleCalls.has(String(callee.name))) found.add(String(callee.name));
    }
    if (node.type === "MemberExpression" && testFunctions.has(leftmostName(node))) {
      const name = String((node.property as { name?: unknown }).name);
      if (idleTests.has(name)) found.add(name);
    }
    if (node.type === "Property" && (node.key as { name?: unknown }).name === "retry") found.add("retry");
  });
  return [...found].map((what) => `${file.path} uses ${what}`);
}

function leftmostName(node: Node): string {
  const object = node.object as Node;
  if (object.type === "MemberExpression") return leftmostName(object);
  return object.type === "Identifier" ? String(object.name) : "";
}
