import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import * as sluice from "sluice";
import * as kinds from "sluice/kinds";
import { expect, it } from "vitest";
import * as z from "zod";
import type { Controller } from "../../../functions/controller/controller.ts";
import { controllerManifestOf, mapToOf } from "../../../functions/controller/manifest.ts";
import { root } from "../../repository/source-file.ts";

/** Runs the README's blocks from the top to the one that defines this, as a module of their own. */
function fromReadme(name: string): Controller {
  const text = readFileSync(join(root, "README.md"), "utf8");
  const blocks = Array.from(text.matchAll(/```ts\n(.*?)```/gs), ([, block]) => block!);
  const last = blocks.findIndex((block) => block.includes(`export const ${name} `));
  const code = stripTypeScriptTypes(blocks.slice(0, last + 1).join("\n"))
    .replaceAll(/import \* as z from "zod";/g, 'const z = modules["zod"];')
    .replaceAll(/import \{(.*?)\} from ("[^"]+");/g, "var {$1} = modules[$2];")
    .replaceAll(/^export (?=const )/gm, "");
  const modules = { sluice, "sluice/kinds": kinds, zod: z };
  return new Function("modules", `${code}\nreturn ${name};`)(modules) as Controller;
}

it("the README's predicates, mappings and selectors are what it says", () => {
  const previews = fromReadme("previews");
  const relations = controllerManifestOf(previews).relations;
  expect(relations.map(({ id, mapping, predicate }) => [id, mapping.by, predicate])).toEqual([
    ["for", "self", { anyOf: ["generation", { annotations: ["example.com/paused"] }] }],
    ["owns/Deployment", "owner", { anyOf: ["generation", { field: ".status.readyReplicas" }] }],
    ["watches/Secret", "annotation", { labels: ["example.com/stage"] }],
    ["watches/Pod", "field", { events: ["created", "deleted"] }],
    ["watches/Service", "code", "resourceVersion"],
  ]);
  expect(new Set(relations.map(({ watch }) => JSON.stringify(watch.namespaceSelector)))).toEqual(
    new Set(['{"matchLabels":{"previews":"on"}}']),
  );
  const service = { metadata: { name: "s", namespace: "n" }, spec: { selector: { a: "", b: "" } } };
  const keys = ["a", "b"].map((name) => ({ namespace: "n", name }));
  expect(mapToOf(previews, "watches/Service")?.(service, {} as never)).toEqual(keys);
});
