import { describe, expect, test } from "vitest";
import { ConflictError, MisfitError } from "../../../functions/kube/errors.ts";
import {
  ConfigMap,
  configMap,
  configMaps,
  Document,
  document,
  documents,
  draft,
  Namespace,
  Secret,
} from "./objects.ts";
import { absent, kubeOver, outdated, scripted } from "./scripted-transport.ts";

const at = { namespace: "default", name: "a" };
const jsonPatch = "application/json-patch+json";

describe("reading", () => {
  test("F1 get is one request, without a resourceVersion", async () => {
    const transport = scripted(configMap());
    expect(await kubeOver(transport).get(ConfigMap, at)).toEqual(configMap());
    expect(transport.sent).toEqual([{ method: "GET", path: `${configMaps}/a` }]);
  });

  test("F9 what is read is parsed with the resource's schema", async () => {
    const { content: _, ...spec } = document().spec;
    const kube = kubeOver(scripted({ ...document(), spec }, { ...document(), spec: {} }));
    expect((await kube.get(Document, at)).spec.content).toBe("");
    await expect(kube.find(Document, at)).rejects.toBeInstanceOf(MisfitError);
  });

  test("a kind that is not declared is refused with the line to add, and nothing is sent", async () => {
    const transport = scripted();
    const Pod = { ...ConfigMap, kind: "Pod", plural: "pods" };
    const kube = kubeOver(transport);
    await expect(kube.get(Pod, at)).rejects.toThrow('add { resource: Pod, verbs: ["get"] } to its access');
    await expect(kube.apply({ ...draft, kind: "Pod" })).rejects.toThrow('add { resource: Pod, verbs: ["patch"] }');
    await expect(kube.list(Pod)[Symbol.asyncIterator]().next()).rejects.toThrow('verbs: ["list"]');
    expect(transport.sent).toEqual([]);
  });
});

describe("writing", () => {
  test("create names the field manager", async () => {
    const transport = scripted(configMap());
    await kubeOver(transport).create(draft);
    expect(transport.sent).toEqual([
      { method: "POST", path: `${configMaps}?fieldManager=documents`, type: "application/json", body: draft },
    ]);
  });

  test("create of a cluster-scoped kind", async () => {
    const transport = scripted({});
    await kubeOver(transport).create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "n" } });
    expect(transport.sent).toMatchObject([{ path: "/api/v1/namespaces?fieldManager=documents" }]);
    await expect(kubeOver(transport).get(Namespace, at)).rejects.toThrow("cluster-scoped");
  });

  test("F4 a JSON patch tests the uid first", async () => {
    const transport = scripted(document());
    await kubeOver(transport).jsonPatch(document(), [{ op: "add", path: "/spec/title", value: "B" }]);
    expect(transport.sent).toEqual([
      {
        method: "PATCH",
        path: `${documents}/a?fieldManager=documents`,
        type: jsonPatch,
        body: [
          { op: "test", path: "/metadata/uid", value: "uid-1" },
          { op: "add", path: "/spec/title", value: "B" },
        ],
      },
    ]);
  });

  test("F4 a merge patch carries the uid, whatever else it says of the metadata", async () => {
    const transport = scripted(document());
    await kubeOver(transport).mergePatch(document(), { metadata: { uid: "other", labels: { a: "b" } }, spec: {} });
    expect(transport.sent).toEqual([
      {
        method: "PATCH",
        path: `${documents}/a?fieldManager=documents`,
        type: "application/merge-patch+json",
        body: { metadata: { uid: "uid-1", labels: { a: "b" } }, spec: {} },
      },
    ]);
  });

  test("a write that was done is no misfit, whatever it answers", async () => {
    const misfit = { ...document(), spec: {} };
    expect(await kubeOver(scripted(misfit)).jsonPatch(document(), [])).toEqual(misfit);
  });
});

describe("deleting", () => {
  test("F4 carries the uid as a precondition", async () => {
    const transport = scripted({ kind: "Status" }, { kind: "Status" });
    await kubeOver(transport).delete(configMap());
    await kubeOver(transport).delete(configMap(), { propagationPolicy: "Foreground" });
    const body = { apiVersion: "v1", kind: "DeleteOptions", preconditions: { uid: "uid-cm" } };
    expect(transport.sent).toEqual([
      {
        method: "DELETE",
        path: `${configMaps}/a`,
        type: "application/json",
        body: { ...body, propagationPolicy: "Background" },
      },
      expect.objectContaining({ body: { ...body, propagationPolicy: "Foreground" } }),
    ]);
  });

  test.each([
    ["gone already", [absent("a", "configmaps")]],
    ["recreated under its name", [outdated(), configMap({ uid: "uid-other" })]],
    ["gone after a conflict", [outdated(), absent("a", "configmaps")]],
  ])("an object that is %s is no error", async (_, answers) => {
    await expect(kubeOver(scripted(...answers)).delete(configMap())).resolves.toBeUndefined();
  });

  test("a conflict about the same object stays one", async () => {
    await expect(kubeOver(scripted(outdated(), configMap())).delete(configMap())).rejects.toBeInstanceOf(ConflictError);
  });

  test("F2 a 404 of something else is an error", async () => {
    const kube = kubeOver(scripted(absent("a", "namespaces")));
    await expect(kube.delete({ ...configMap(), kind: Secret.kind })).rejects.toMatchObject({ status: 404 });
  });
});
