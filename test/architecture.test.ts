/**
 * What holds for every file of the project. The rules are under repository/, each shown there to catch what it is for.
 * @module
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { adapters, adaptersWithoutContractTest } from "./repository/contract-rule.ts";
import { withTheirImports, wrongImports } from "./repository/import-rules.ts";
import * as manifestRules from "./repository/manifest-rules.ts";
import { mustBeNeutral, platformUses } from "./repository/platform-rules.ts";
import { projectFiles, readSource, root } from "./repository/source-file.ts";
import * as style from "./repository/style-rules.ts";
import { deadLinks, strayPlaces } from "./repository/text-rules.ts";

const paths = projectFiles();
const files = paths.filter((path) => path.endsWith(".ts")).map(readSource);
const readText = (path: string) => readFileSync(join(root, path), "utf8");
const readJson = <T>(path: string) => JSON.parse(readText(path)) as T;
const exists = (path: string) => existsSync(join(root, path));

describe("layers", () => {
  it("imports point one way", () => {
    expect(files.flatMap((file) => wrongImports(file))).toEqual([]);
  });

  it("what has to run everywhere uses Web standards only, and so does all that it loads", () => {
    const neutral = withTheirImports(files, mustBeNeutral);
    expect(neutral.length).toBeGreaterThan(20);
    expect(neutral.flatMap(platformUses)).toEqual([]);
  });

  it("every adapter of a port passes the port's contract suite", () => {
    expect(adapters(files).length).toBeGreaterThanOrEqual(4);
    expect(adaptersWithoutContractTest(files)).toEqual([]);
  });
});

describe("files", () => {
  it("none is longer than 400 lines, and half of them at most 120", () => {
    expect(files.flatMap(style.tooLong)).toEqual([]);
    expect(style.median(files.map(({ lines }) => lines))).toBeLessThanOrEqual(style.longestMedian);
  });

  it("folders and files are in kebab-case and named by what they hold", () => {
    const named = paths.filter((path) => /\.(ts|mjs|json|sh)$/.test(path));
    expect(named.flatMap(style.badName)).toEqual([]);
  });

  it("exports are named", () => {
    expect(files.flatMap(style.defaultExports)).toEqual([]);
  });

  it("zod is imported as a namespace", () => {
    expect(files.flatMap(style.heavyZodImports)).toEqual([]);
  });

  it("tests wait on conditions, and none is skipped or retried", () => {
    expect(files.flatMap(style.lazyTests)).toEqual([]);
  });
});

describe("package", () => {
  const manifest = readJson<manifestRules.Manifest>("package.json");
  const lock = readJson<manifestRules.Lock>("package-lock.json");

  it("every export and command has its source", () => {
    expect(manifestRules.brokenExports(manifest, exists)).toEqual([]);
  });

  it("every dependency has an exact version", () => {
    expect(manifestRules.looseVersions(manifest)).toEqual([]);
  });

  it("the lock is bound to no host", () => {
    expect(manifestRules.pinnedHosts(lock)).toEqual([]);
  });

  it("what is shipped with it is under a permissive licence", () => {
    const licenseOf = (path: string) =>
      exists(`${path}/package.json`) ? readJson<{ license?: unknown }>(`${path}/package.json`).license : undefined;
    expect(manifestRules.forbiddenLicenses(lock, licenseOf)).toEqual([]);
  });
});

describe("texts", () => {
  it("no file names a place of one machine or the host of a registry", () => {
    const texts = paths.filter((path) => !path.endsWith(".sum"));
    expect(texts.flatMap((path) => strayPlaces(path, readText(path)))).toEqual([]);
  });

  it("every relative link leads somewhere", () => {
    const pages = paths.filter((path) => path.endsWith(".md"));
    expect(pages.flatMap((path) => deadLinks(path, readText(path), exists))).toEqual([]);
  });
});
