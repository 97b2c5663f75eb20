import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { collectionPath, objectPath } from "../../../functions/kube/paths.ts";
import { ConfigMap, Document, Namespace } from "./objects.ts";
import { kubeOver, scripted } from "./scripted-transport.ts";

describe("X2 names and namespaces are checked before they enter a path", () => {
  test.each([
    [objectPath(ConfigMap, { namespace: "default", name: "a" }), "/api/v1/namespaces/default/configmaps/a"],
    [
      objectPath(Document, { namespace: "n", name: "a.b" }, "status"),
      "/apis/example.com/v1/namespaces/n/documents/a.b/status",
    ],
    [objectPath(Namespace, { name: "kube-system" }), "/api/v1/namespaces/kube-system"],
    [collectionPath(Document), "/apis/example.com/v1/documents"],
    [
      objectPath(ConfigMap, { namespace: "n", name: "system:a?b#c" }),
      "/api/v1/namespaces/n/configmaps/system%3Aa%3Fb%23c",
    ],
  ])("%s", (path, expected) => {
    expect(path).toBe(expected);
  });

  test.each(["", ".", "..", "a/b", "a%2fb", "a b", "a\n", "é", "a".repeat(254)])(
    "no object has the name %j",
    (name) => {
      expect(() => objectPath(ConfigMap, { namespace: "default", name })).toThrow(/^name: /);
    },
  );

  test.each(["", "..", "a/b", "A", "a_b", "a?", "a".repeat(64)])("no namespace has the name %j", (namespace) => {
    expect(() => objectPath(ConfigMap, { namespace, name: "a" })).toThrow(/^namespace: /);
  });

  test("a namespaced kind needs a namespace, and a cluster-scoped one must have none", () => {
    expect(() => objectPath(ConfigMap, { name: "a" })).toThrow("namespace: missing");
    expect(() => objectPath(Namespace, { namespace: "default", name: "a" })).toThrow("cluster-scoped");
  });

  test("whatever is asked for, the path has one segment a name and no query", async () => {
    const holds = fc.property(
      fc.constantFrom("default", "..", "a/b"),
      fc.string({ unit: "binary-ascii", maxLength: 3 }),
      (namespace, name) => {
        let path: string;
        try {
          path = objectPath(ConfigMap, { namespace, name });
        } catch {
          return;
        }
        const url = new URL(path, "https://host");
        expect(url.pathname.split("/")).toHaveLength(7);
        expect(url.search + url.hash).toBe("");
      },
    );
    await fc.assert(holds);
  });

  test("what is refused is not sent", async () => {
    const transport = scripted();
    const kube = kubeOver(transport);
    const metadata = { namespace: "default", name: "../secrets/x" };
    await expect(kube.get(ConfigMap, metadata)).rejects.toThrow(/^name: /);
    await expect(kube.create({ apiVersion: "v1", kind: "ConfigMap", metadata })).rejects.toThrow(/^name: /);
    await expect(kube.apply({ apiVersion: "v1", kind: "ConfigMap", metadata })).rejects.toThrow(/^name: /);
    expect(transport.sent).toEqual([]);
  });
});
