/**
 * Each rule of architecture.test.ts, shown to catch what it is for, and to leave alone what only looks like it.
 * @module
 */
import { describe, expect, it } from "vitest";
import { adapters, adaptersWithoutContractTest } from "./contract-rule.ts";
import { withTheirImports, wrongImports } from "./import-rules.ts";
import { platformUses } from "./platform-rules.ts";
import { parseSource } from "./source-file.ts";
import * as style from "./style-rules.ts";

describe("imports point one way", () => {
  const from = (path: string, specifier: string) =>
    wrongImports(parseSource(path, `import { x } from "${specifier}";`));

  it.each([
    ["functions/contract/a.ts", "../ports/index.ts"],
    ["functions/ports/a.ts", "../kube/kube.ts"],
    ["functions/kube/a.ts", "../controller/b.ts"],
    ["functions/controller/a.ts", "../http/b.ts"],
    ["functions/http/a.ts", "../index.ts"],
    ["functions/index.ts", "../adapters/kv/memory.ts"],
    ["adapters/kv/a.ts", "../../functions/kube/kube.ts"],
    ["adapters/kv/a.ts", "../runtime/node/index.ts"],
    ["adapters/scheduler/a.ts", "../testing/index.ts"],
    ["adapters/runtime/node/a.ts", "../../../infra/cli/main.ts"],
    ["infra/relay/a.ts", "../../functions/controller/b.ts"],
    ["infra/relay/a.ts", "../../adapters/kv/memory.ts"],
    ["infra/cli/main.ts", "../../test/cluster/a.ts"],
    ["examples/a.ts", "../functions/index.ts"],
    ["vitest.config.ts", "../elsewhere.ts"],
  ])("%s may not import %s", (path, specifier) => {
    expect(from(path, specifier)).toHaveLength(1);
  });

  it.each([
    ["functions/ports/a.ts", "../contract/index.ts"],
    ["functions/http/a.ts", "../controller/b.ts"],
    ["functions/kinds.ts", "./kube/resource.ts"],
    ["adapters/kv/sqlite.ts", "../sqlite/sqlite-file.ts"],
    ["adapters/runtime/node/a.ts", "../../../infra/relay/relay.ts"],
    ["infra/relay/main.ts", "../../adapters/runtime/node/index.ts"],
    ["infra/cli/main.ts", "../relay/main.ts"],
    ["examples/a.ts", "sluice/node"],
    ["functions/kube/a.ts", "zod"],
  ])("%s may import %s", (path, specifier) => {
    expect(from(path, specifier)).toEqual([]);
  });

  it("sees every form of import", () => {
    const text = `
      import type { A } from "../http/a.ts";
      export { b } from "../http/b.ts";
      export * from "../http/c.ts";
      const d = await import("../http/d.ts");
      let e: import("../http/e.ts").E;`;
    expect(wrongImports(parseSource("functions/kube/a.ts", text))).toHaveLength(5);
  });

  it("refuses the package's own name inside the package, and a missing extension", () => {
    expect(from("functions/http/a.ts", "sluice/contract")).toHaveLength(1);
    expect(from("functions/http/a.ts", "./b")).toHaveLength(1);
  });
});

describe("no platform API", () => {
  it.each([
    'import { readFileSync } from "node:fs";',
    'import { readFileSync } from "fs";',
    'import { Agent } from "undici";',
    'import { serve } from "@hono/node-server/vercel";',
    'const kv = await import("node:sqlite");',
    "const key = process.env.KEY;",
    "const text = `$" + "{process.env.KEY}`;",
    "const bytes = Buffer.from('a');",
    "const text = Deno.readTextFileSync('a');",
    'const fs = require("fs");',
    "let timer: NodeJS.Timeout;",
    "const all = { process };",
  ])("%s", (text) => {
    expect(platformUses(parseSource("functions/a.ts", text))).toHaveLength(1);
  });

  it("leaves members, texts and comments alone", () => {
    const text = `
      // process.env is for Node
      const steps = { process: 1, Buffer: 2 };
      steps.process;
      const text = "Deno.readTextFileSync, require('fs')";
      type Job = { process(): void };`;
    expect(platformUses(parseSource("functions/a.ts", text))).toEqual([]);
  });

  it("follows what a file loads, but not what it takes a type of", () => {
    const sources = [
      parseSource("core.ts", 'import { a } from "./a.ts"; import type { B } from "./b.ts";'),
      parseSource("a.ts", 'import "./c.ts";'),
      parseSource("b.ts", ""),
      parseSource("c.ts", 'import "./core.ts";'),
    ];
    expect(withTheirImports(sources, (path) => path === "core.ts").map(({ path }) => path)).toEqual([
      "core.ts",
      "a.ts",
      "c.ts",
    ]);
  });
});

describe("every adapter has a contract test", () => {
  const sources = [
    parseSource("adapters/kv/one.ts", "export function createOne(): KeyValue { return map; }"),
    parseSource("adapters/kv/two.ts", "export class Two implements KeyValue {}"),
    parseSource("adapters/kv/three.ts", "export const openThree = async (): Promise<KeyValue> => map;"),
    parseSource("adapters/kv/rows.ts", "export function readRows(kv: KeyValue): string[] { return []; }"),
    parseSource("adapters/scheduler/base.ts", "export class Base implements Scheduler {}"),
    parseSource("adapters/scheduler/four.ts", 'import { Base } from "./base.ts"; export function four(): Scheduler {}'),
    parseSource("test/contract/kv.test.ts", 'import { createOne } from "../../adapters/kv/one.ts";'),
    parseSource("test/elsewhere.test.ts", 'import { Two } from "../adapters/kv/two.ts";'),
  ];

  it("knows an adapter by what it exports", () => {
    expect(adapters(sources).map(({ path }) => path)).toEqual([
      "adapters/kv/one.ts",
      "adapters/kv/two.ts",
      "adapters/kv/three.ts",
      "adapters/scheduler/four.ts",
    ]);
  });

  it("names those that no contract test imports", () => {
    const found = adaptersWithoutContractTest(sources);
    expect(found.map((text) => text.split(" ")[0])).toEqual([
      "adapters/kv/two.ts",
      "adapters/kv/three.ts",
      "adapters/scheduler/four.ts",
    ]);
  });
});

describe("files", () => {
  it("a file of 401 lines is too long, one of 400 is not", () => {
    expect(style.tooLong(parseSource("a.ts", "\n".repeat(401)))).toHaveLength(1);
    expect(style.tooLong(parseSource("a.ts", "\n".repeat(400)))).toEqual([]);
  });

  it("the median is the middle one", () => {
    expect(style.median([300, 1, 120])).toBe(120);
  });

  it.each(["functions/Kube.ts", "test/cluster/kube_api.ts", "functions/utils.ts", "infra/helpers/a.ts", "a/common.ts"])(
    "%s is a bad name",
    (path) => expect(style.badName(path)).toHaveLength(1),
  );

  it.each(["functions/kube/api-error.ts", "test/contract/kv.case.ts", "tsconfig.build.json", ".github/a.json"])(
    "%s is a good name",
    (path) => expect(style.badName(path)).toEqual([]),
  );

  it.each(["export default {};", "const a = 1; export { a as default };", "export { default } from './a.ts';"])(
    "%s is a default export",
    (text) => {
      expect(style.defaultExports(parseSource("a.ts", text))).toHaveLength(1);
      expect(style.defaultExports(parseSource("a.config.ts", text))).toEqual([]);
      expect(style.defaultExports(parseSource("example/worker.ts", text))).toEqual([]);
    },
  );

  it("zod by name is heavy; its namespace and its types are not", () => {
    const heavy = (text: string) => style.heavyZodImports(parseSource("a.ts", text));
    expect(heavy('import { z } from "zod";')).toHaveLength(1);
    expect(heavy('import z from "zod";')).toHaveLength(1);
    expect(heavy('import * as z from "zod";')).toEqual([]);
    expect(heavy('import { type ZodType } from "zod"; import type { z } from "zod";')).toEqual([]);
  });

  it.each([
    ...["skip", "only", "todo", "fails"].map((word) => `it.${word}("a", () => {});`),
    `it.${"skip"}.each([1])("a", () => {});`,
    `describe.${"skipIf"}(true)("a", () => {});`,
    'it("a", { retry: 2 }, () => {});',
    `set${"Timeout"}(() => {}, 10);`,
    'import { setTimeout as wait } from "node:timers/promises";',
  ])("%s is a test that does not count", (text) => {
    expect(style.lazyTests(parseSource("test/a.test.ts", text))).toHaveLength(1);
    expect(style.lazyTests(parseSource("test/support/a.ts", text))).toEqual([]);
  });
});
