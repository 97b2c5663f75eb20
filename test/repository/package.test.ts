/**
 * The package as its users get it: built, packed, unpacked beside nothing but its dependencies.
 * @module
 */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { awayKubeconfig } from "../cli/away-kubeconfig.ts";
import { root } from "./source-file.ts";

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const dir = mkdtempSync(join(tmpdir(), "sluice-package-"));
const project = join(dir, "project");
const installed = join(project, "node_modules/sluice");
const tsc = join(root, "node_modules/typescript/bin/tsc");

/** Runs a Node script; what it says on failure is the test's message. */
function node(args: readonly string[], cwd: string): string {
  try {
    return execFileSync(process.execPath, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${stdout}${stderr}`);
  }
}

beforeAll(() => {
  const staged = join(dir, "staged");
  mkdirSync(staged);
  for (const file of ["package.json", "README.md", "LICENSE"])
    if (existsSync(join(root, file))) cpSync(join(root, file), join(staged, file));
  node([tsc, "-p", "tsconfig.build.json", "--outDir", join(staged, "dist")], root);
  const packed = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", dir], {
    cwd: staged,
    encoding: "utf8",
  });
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", join(dir, filename), "-C", installed, "--strip-components=1"]);

  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  for (const name of Object.keys(manifest.dependencies)) {
    const link = join(project, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, "node_modules", name), link);
  }
}, 60_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

it("holds what is needed and nothing else", () => {
  const files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1));
  const outside = files.filter((path) => !path.startsWith("dist/")).sort();
  expect(outside).toEqual(["LICENSE", "README.md", "package.json"]);
  const strange = files.filter((path) => path.startsWith("dist/") && !/\.(js|js\.map|d\.ts|json)$/.test(path));
  expect(strange).toEqual([]);
  expect(files.filter((path) => /(^|\/)(test|examples)\//.test(path))).toEqual([]);
});

it("every export loads in plain Node", () => {
  const modules = Object.keys(manifest.exports)
    .filter((name) => name !== "./package.json")
    .map((name) => name.replace(/^\./, "sluice"));
  const script = `
    const names = {};
    for (const module of ${JSON.stringify(modules)}) names[module] = Object.keys(await import(module)).length;
    console.log(JSON.stringify(names));`;
  const names = JSON.parse(node(["--input-type=module", "--eval", script], project));
  expect(Object.keys(names)).toEqual(modules);
  for (const module of modules) expect(names[module], module).toBeGreaterThan(0);
});

it("S3 serve opens its store in a thread, and the command gives it a new epoch", () => {
  const kubeconfig = awayKubeconfig(dir);
  writeFileSync(
    join(project, "serve.js"),
    `import { awaitChange, defineController } from "sluice";
    import { ConfigMap } from "sluice/kinds";
    import { serve } from "sluice/node";
    const maps = defineController()({ name: "maps", for: ConfigMap, reconcile: () => awaitChange() });
    const clusters = () => [{ name: "home", kubeconfig: ${JSON.stringify(kubeconfig)} }];
    const running = await serve({ controllers: [maps], clusters, stateDir: "state", logLevel: "error" });
    await running.stop();`,
  );
  node(["serve.js"], project);
  const epoch = node([join(installed, manifest.bin.sluice), "store", "new-epoch", "state/sluice.db"], project);
  expect(epoch).toMatch(/^[-0-9a-f]{36}\n$/);
});

it("a bundle without the thread of the store says what to do", async () => {
  const file = join(installed, "dist/adapters/sqlite/sqlite-file.js");
  const contents = `import { openSqliteFile } from ${JSON.stringify(file)}; await openSqliteFile("bundled.db", {});`;
  const outfile = join(project, "bundle.mjs");
  const stdin = { contents, resolveDir: project };
  await build({ stdin, outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" });
  expect(() => node([outfile], project)).toThrow(
    /bundled\.db cannot be opened: .*thread.*keep the package sluice out of/,
  );
});

it("the example compiles against the published types", () => {
  cpSync(join(root, "examples/documents"), join(project, "example"), { recursive: true });
  const compilerOptions = {
    ...{ target: "ES2024", module: "NodeNext", strict: true, noEmit: true, allowImportingTsExtensions: true },
    ...{ skipLibCheck: false, types: ["node"], typeRoots: [join(root, "node_modules/@types")] },
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["example"] }));
  node([tsc, "-p", "."], project);
});

it("the README's code compiles against the published types, read from top to bottom", () => {
  const blocks = readFileSync(join(root, "README.md"), "utf8").matchAll(/```ts\n(.*?)```/gs);
  const code = Array.from(blocks, ([, block]) => block).join("\n");
  expect(code).toContain("defineController");
  writeFileSync(join(project, "example/readme.ts"), code);
  node([tsc, "-p", "."], project);
});

it("a mistake against the published types is found", () => {
  writeFileSync(
    join(project, "example/mistake.ts"),
    'import { requeueAfter } from "sluice";\nexport const action = requeueAfter(5);\n',
  );
  expect(() => node([tsc, "-p", "."], project)).toThrow(/mistake\.ts\(2,\d+\): error TS2345/);
});

it("the command runs", () => {
  const command = join(installed, manifest.bin.sluice);
  expect(readFileSync(command, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
  expect(node([command, "--version"], project)).toBe(`${manifest.version}\n`);
});
