import { describe, expect, test } from "vitest";
import { ConflictError, ForbiddenError } from "../../../functions/kube/errors.ts";
import { configMap, configMaps, document, draft, meta, ownerReference } from "./objects.ts";
import { absent, dispute, kubeOver, outdated, scripted, status } from "./scripted-transport.ts";

const owner = document();
const type = "application/apply-patch+yaml";
const plain = `${configMaps}/a?fieldManager=documents`;
const forced = `${plain}&force=true`;
const owned = { ...draft, metadata: { ...draft.metadata, ownerReferences: [ownerReference] } };
const controlled = { ownerReferences: [ownerReference], resourceVersion: "7" };

/** The owned draft as it is sent on top of what was read. */
const fenced = (metadata: object) => ({ ...owned, metadata: { ...owned.metadata, ...metadata } });

async function applied(...script: Parameters<typeof scripted>) {
  const transport = scripted(...script);
  const result = await kubeOver(transport)
    .apply(draft, { owner })
    .catch((error: unknown) => error);
  return { result, sent: transport.sent };
}

describe("apply", () => {
  test("without an owner is one request, without force", async () => {
    const transport = scripted(configMap());
    expect(await kubeOver(transport).apply(draft)).toEqual(configMap());
    expect(transport.sent).toEqual([{ method: "PATCH", path: plain, type, body: draft }]);
  });

  test("without an owner a conflict names the manager and is not forced", async () => {
    const transport = scripted(dispute());
    await expect(kubeOver(transport).apply(draft)).rejects.toThrow('conflict with "kubectl"');
    expect(transport.sent).toHaveLength(1);
  });

  test("F8 with an owner is one request that makes it the controller", async () => {
    const { result, sent } = await applied(configMap());
    expect(result).toEqual(configMap());
    expect(sent).toEqual([{ method: "PATCH", path: plain, type, body: owned }]);
  });

  test("keeps the draft's other owners", async () => {
    const other = { apiVersion: "v1", kind: "ConfigMap", name: "b", uid: "uid-b" };
    const transport = scripted(configMap());
    const metadata = { ...draft.metadata, ownerReferences: [other, { ...ownerReference, controller: false }] };
    await kubeOver(transport).apply({ ...draft, metadata }, { owner });
    expect(transport.sent).toMatchObject([{ body: { metadata: { ownerReferences: [other, ownerReference] } } }]);
  });

  test("an owner in another namespace is refused and nothing is sent", async () => {
    const transport = scripted();
    const elsewhere = document({ metadata: meta({ namespace: "other" }) });
    const kube = kubeOver(transport);
    await expect(kube.apply(draft, { owner: elsewhere })).rejects.toThrow(
      "Document other/a cannot own ConfigMap default/a",
    );
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "n" } };
    await expect(kube.apply(namespace, { owner })).rejects.toThrow("Document default/a cannot own Namespace n");
    expect(transport.sent).toEqual([]);
  });

  test("a cluster-scoped owner may own a namespaced object", async () => {
    const { namespace: _, ...metadata } = meta();
    const transport = scripted(configMap());
    await kubeOver(transport).apply(draft, { owner: { apiVersion: "v1", kind: "Namespace", metadata } });
    expect(transport.sent).toHaveLength(1);
  });
});

describe("F8 an apply that meets another manager's field", () => {
  test("F4 forces exactly the version that shows our owner as the controller", async () => {
    const { result, sent } = await applied(dispute(), configMap(controlled), configMap());
    expect(result).toEqual(configMap());
    expect(sent).toEqual([
      { method: "PATCH", path: plain, type, body: owned },
      { method: "GET", path: `${configMaps}/a` },
      { method: "PATCH", path: forced, type, body: fenced({ uid: "uid-cm", resourceVersion: "7" }) },
    ]);
  });

  test.each([
    ["nobody", []],
    ["a predecessor of our owner", [{ ...ownerReference, uid: "uid-0" }]],
    ["our owner, not as the controller", [{ ...ownerReference, controller: false }]],
  ])("fails naming the manager where the object is controlled by %s", async (_, ownerReferences) => {
    const { result, sent } = await applied(dispute(), configMap({ ownerReferences }));
    expect(result).toBeInstanceOf(ConflictError);
    expect(result).toMatchObject({
      reason: "Conflict",
      message:
        "ConfigMap default/a exists and is not controlled by Document default/a: " +
        '.data.content: conflict with "kubectl" using v1',
    });
    expect(sent).toHaveLength(2);
  });

  test("reads again where the object changed before the force", async () => {
    const { sent } = await applied(
      dispute(),
      configMap(controlled),
      outdated(),
      configMap({ ...controlled, resourceVersion: "8" }),
      configMap(),
    );
    expect(sent.at(-1)).toMatchObject({ path: forced, body: fenced({ uid: "uid-cm", resourceVersion: "8" }) });
  });

  test("applies anew where the object is gone by then", async () => {
    const { sent } = await applied(dispute(), absent("a", "configmaps"), configMap());
    expect(sent.at(-1)).toMatchObject({ path: plain, body: owned });
  });

  test("tries again where the object only changed, and nobody disputes a field", async () => {
    const { result, sent } = await applied(outdated(), configMap(), configMap());
    expect(result).toEqual(configMap());
    expect(sent.at(-1)).toEqual({ method: "PATCH", path: plain, type, body: owned });
  });

  test("gives up after three tries", async () => {
    const { result, sent } = await applied(
      ...[dispute(), configMap(controlled), outdated(), configMap(controlled), outdated()],
    );
    expect(result).toBeInstanceOf(ConflictError);
    expect(sent).toHaveLength(5);
  });

  test("any other refusal is thrown at once", async () => {
    const { result, sent } = await applied(status(403, "Forbidden"));
    expect(result).toBeInstanceOf(ForbiddenError);
    expect(sent).toHaveLength(1);
  });
});

describe("F8 adopt: false", () => {
  const options = { owner, adopt: false };

  test("applies to what our owner controls, and only to that version", async () => {
    const transport = scripted(configMap(controlled), configMap());
    await kubeOver(transport).apply(draft, options);
    expect(transport.sent).toEqual([
      { method: "GET", path: `${configMaps}/a` },
      { method: "PATCH", path: forced, type, body: fenced({ uid: "uid-cm", resourceVersion: "7" }) },
    ]);
  });

  test("refuses what exists without our owner", async () => {
    const transport = scripted(configMap());
    await expect(kubeOver(transport).apply(draft, options)).rejects.toMatchObject({
      reason: "AlreadyExists",
      message: expect.stringContaining("adopt: false leaves it alone"),
    });
    expect(transport.sent).toHaveLength(1);
  });

  test("creates what is absent, with a version that no object has", async () => {
    const transport = scripted(absent("a", "configmaps"), configMap());
    await kubeOver(transport).apply(draft, options);
    expect(transport.sent.at(-1)).toMatchObject({ path: plain, body: fenced({ resourceVersion: "1" }) });
  });

  test("refuses what somebody made between the read and the apply", async () => {
    const transport = scripted(absent("a", "configmaps"), outdated(), configMap());
    await expect(kubeOver(transport).apply(draft, options)).rejects.toMatchObject({ reason: "AlreadyExists" });
  });

  test("needs an owner", async () => {
    await expect(kubeOver(scripted()).apply(draft, { adopt: false })).rejects.toThrow("adopt: false needs an owner");
  });
});
