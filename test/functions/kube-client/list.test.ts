import { describe, expect, test } from "vitest";
import { GoneError, MisfitError } from "../../../functions/kube/errors.ts";
import type { KubeObject } from "../../../functions/kube/resource.ts";
import { ConfigMap, configMaps, Document, document, meta } from "./objects.ts";
import { all, kubeOver, scripted, status } from "./scripted-transport.ts";

/** A page as built-in kinds have them: the items without apiVersion and kind. */
function page(names: string[], next?: string): object {
  const items = names.map((name) => ({ metadata: meta({ name, uid: `uid-${name}` }) }));
  return { apiVersion: "v1", kind: "ConfigMapList", metadata: { resourceVersion: "9", continue: next }, items };
}

async function names(list: AsyncIterable<KubeObject>): Promise<string[]> {
  return (await all(list)).map(({ metadata }) => metadata.name);
}

const expired = () => status(410, "Expired", { message: "The provided continue parameter is too old" });

describe("list", () => {
  test("reads pages of 500 until continue is empty", async () => {
    const transport = scripted(page(["a", "b"], "t1"), page(["c"], ""));
    expect(await names(kubeOver(transport).list(ConfigMap, { namespace: "default" }))).toEqual(["a", "b", "c"]);
    expect(transport.sent).toEqual([
      { method: "GET", path: `${configMaps}?limit=500` },
      { method: "GET", path: `${configMaps}?limit=500&continue=t1` },
    ]);
  });

  test("asks for the next page only when it is needed", async () => {
    const transport = scripted(page(["a", "b"], "t1"));
    for await (const { metadata } of kubeOver(transport).list(ConfigMap)) if (metadata.name === "b") break;
    expect(transport.sent).toEqual([{ method: "GET", path: "/api/v1/configmaps?limit=500" }]);
  });

  test("sends selectors, and every object says what it is", async () => {
    const transport = scripted(page(["a"]));
    const options = { labelSelector: "app in (a,b)", fieldSelector: "metadata.name=a" };
    expect(await all(kubeOver(transport).list(ConfigMap, options))).toMatchObject([
      { apiVersion: "v1", kind: "ConfigMap" },
    ]);
    const query = new URLSearchParams(transport.sent[0]?.path.split("?")[1]);
    expect(Object.fromEntries(query)).toEqual({ limit: "500", ...options });
  });

  test("R2 starts again where a page token expired, and gives no object twice", async () => {
    const transport = scripted(page(["a", "b"], "t1"), expired(), page(["a", "c"], "t2"), page(["b", "d"]));
    expect(await names(kubeOver(transport).list(ConfigMap))).toEqual(["a", "b", "c", "d"]);
    expect(transport.sent.map(({ path }) => path.split("?")[1])).toEqual([
      "limit=500",
      "limit=500&continue=t1",
      "limit=500",
      "limit=500&continue=t2",
    ]);
  });

  test("R2 a page that fails is an error, never the end", async () => {
    await expect(names(kubeOver(scripted(page(["a"], "t1"), status(500, "x"))).list(ConfigMap))).rejects.toThrow();
    await expect(names(kubeOver(scripted(expired())).list(ConfigMap))).rejects.toBeInstanceOf(GoneError);
    await expect(names(kubeOver(scripted({})).list(ConfigMap))).rejects.toThrow("the answer is no list");
  });

  test("an empty list may have null for its items", async () => {
    const empty = { apiVersion: "v1", kind: "ConfigMapList", metadata: {}, items: null };
    expect(await names(kubeOver(scripted(empty)).list(ConfigMap))).toEqual([]);
  });

  test("F9 an object that does not fit its schema ends the list", async () => {
    const list = {
      kind: "DocumentList",
      metadata: {},
      items: [document(), { ...document(), metadata: meta({ uid: "2" }), spec: {} }],
    };
    await expect(names(kubeOver(scripted(list)).list(Document))).rejects.toBeInstanceOf(MisfitError);
  });
});
