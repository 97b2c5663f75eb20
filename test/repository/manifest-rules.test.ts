import { describe, expect, it } from "vitest";
import * as rules from "./manifest-rules.ts";

describe("exports", () => {
  const exists = (path: string) => path === "./functions/index.ts";

  it("an export without a source is broken", () => {
    expect(rules.brokenExports({ exports: { "./a": { default: "./dist/functions/a.js" } } }, exists)).toEqual([
      'exports["./a"]: ./functions/a.ts does not exist',
    ]);
    expect(rules.brokenExports({ bin: { a: "./dist/infra/cli/main.js" } }, exists)).toHaveLength(1);
  });

  it("an export whose types belong to another module is broken", () => {
    const target = { "sluice-source": "./functions/index.ts", types: "./dist/functions/b.d.ts" };
    expect(rules.brokenExports({ exports: { ".": target } }, () => true)).toHaveLength(1);
  });

  it("one source under all conditions is right", () => {
    const target = {
      "sluice-source": "./functions/index.ts",
      types: "./dist/functions/index.d.ts",
      default: "./dist/functions/index.js",
    };
    expect(rules.brokenExports({ exports: { ".": target } }, exists)).toEqual([]);
  });
});

describe("dependencies", () => {
  it.each(["^1.2.3", "~1.2.3", "1.2", "latest", ">=1.0.0", "git+ssh://a"])("%s is no exact version", (version) => {
    expect(rules.looseVersions({ dependencies: { a: version } })).toHaveLength(1);
    expect(rules.looseVersions({ devDependencies: { a: version } })).toHaveLength(1);
  });

  it.each(["1.2.3", "1.2.3-rc.1"])("%s is exact", (version) => {
    expect(rules.looseVersions({ dependencies: { a: version } })).toEqual([]);
  });

  it("a lock that names a host is bound to it", () => {
    const lock = { packages: { "node_modules/a": { resolved: "https://example.com/a.tgz" }, "node_modules/b": {} } };
    expect(rules.pinnedHosts(lock)).toEqual(["package-lock.json names the host of node_modules/a"]);
  });
});

describe("licences", () => {
  it.each(["MIT", "Apache-2.0", "(MIT OR GPL-3.0)", "MIT AND ISC", "0BSD"])("%s is permissive", (license) => {
    expect(rules.isPermissive(license)).toBe(true);
  });

  it.each(["GPL-3.0", "MIT AND GPL-3.0", "UNLICENSED", "", undefined, { type: "MIT" }])(
    "%s is not on the list",
    (license) => expect(rules.isPermissive(license)).toBe(false),
  );

  it("development tools and absent optional packages do not count, what is shipped does", () => {
    const lock = { packages: { "": {}, a: {}, b: { dev: true }, c: { optional: true }, d: {} } };
    const licenseOf = (path: string) => ({ a: "GPL-3.0", b: "GPL-3.0", d: undefined })[path as "a"];
    expect(rules.forbiddenLicenses(lock, licenseOf)).toEqual(['a: licence "GPL-3.0"', "d: licence undefined"]);
  });
});
