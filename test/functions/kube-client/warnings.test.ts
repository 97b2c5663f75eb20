import { expect, test } from "vitest";
import { recordingLogger } from "../../support/recording-logger.ts";
import { ConfigMap, configMap } from "./objects.ts";
import { kubeOver, scripted } from "./scripted-transport.ts";

const at = { namespace: "default", name: "a" };

/** An answer with these Warning headers. */
function warning(...values: string[]): Response {
  const headers = new Headers();
  for (const value of values) headers.append("warning", value);
  return Response.json(configMap(), { headers });
}

async function warned(...answers: Response[]): Promise<unknown[]> {
  const log = recordingLogger();
  const kube = kubeOver(scripted(...answers), { log });
  for (const _ of answers) await kube.get(ConfigMap, at);
  return log.lines.map(({ level, message, fields }) => {
    expect({ level, message }).toEqual({ level: "warn", message: "the API server warns" });
    return fields?.warning;
  });
}

test("what the API server warns of is logged, each text once a run", async () => {
  const old = '299 - "v1beta1 Widget is deprecated, use \\"v1\\""';
  expect(await warned(warning(old, '299 - "unknown field \\"spec.a\\""'), warning(old), warning())).toEqual([
    'v1beta1 Widget is deprecated, use "v1"',
    'unknown field "spec.a"',
  ]);
});

test("warnings of another code, and nonsense, are left alone", async () => {
  expect(await warned(warning('199 - "a proxy says"', "299 - unquoted", "nonsense"))).toEqual([]);
});

test("each run logs anew", async () => {
  const text = '299 - "old"';
  expect([...(await warned(warning(text))), ...(await warned(warning(text)))]).toEqual(["old", "old"]);
});
