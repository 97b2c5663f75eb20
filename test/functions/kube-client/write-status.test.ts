import { describe, expect, test } from "vitest";
import { ConflictError, InvalidError, NotFoundError } from "../../../functions/kube/errors.ts";
import { document, documents, meta } from "./objects.ts";
import { absent, kubeOver, scripted, status, unpatchable } from "./scripted-transport.ts";

const fresh = document();
const ready = document({ metadata: meta({ resourceVersion: "6" }), status: { phase: "Ready" } });
const uid = { op: "test", path: "/metadata/uid", value: "uid-1" };
const path = `${documents}/a/status?fieldManager=documents`;
const type = "application/json-patch+json";

describe("patchStatus", () => {
  test("is one JSON patch on /status, and gives the patched object", async () => {
    const transport = scripted(ready);
    expect(await kubeOver(transport).patchStatus(fresh, { phase: "Ready" })).toEqual(ready);
    const body = [
      uid,
      { op: "test", path: "/status", value: null },
      { op: "add", path: "/status", value: { phase: "Ready" } },
    ];
    expect(transport.sent).toEqual([{ method: "PATCH", path, type, body }]);
  });

  test("F5 sends nothing where nothing differs, and gives the same object", async () => {
    const transport = scripted();
    expect(await kubeOver(transport).patchStatus(ready, { phase: "Ready" })).toBe(ready);
    expect(transport.sent).toEqual([]);
  });

  test("is made again from what is there now, where it no longer fits", async () => {
    const meanwhile = document({ metadata: meta({ resourceVersion: "6" }), status: { observedGeneration: 1 } });
    const transport = scripted(unpatchable(), meanwhile, ready);
    expect(await kubeOver(transport).patchStatus(fresh, { phase: "Ready" })).toEqual(ready);
    expect(transport.sent.slice(1)).toEqual([
      { method: "GET", path: `${documents}/a` },
      { method: "PATCH", path, type, body: [uid, { op: "add", path: "/status/phase", value: "Ready" }] },
    ]);
  });

  test("is done where somebody else has set the same meanwhile", async () => {
    const transport = scripted(unpatchable(), ready);
    expect(await kubeOver(transport).patchStatus(fresh, { phase: "Ready" })).toEqual(ready);
    expect(transport.sent).toHaveLength(2);
  });

  test("F4 fails on an object that was recreated", async () => {
    const successor = document({ metadata: meta({ uid: "uid-2" }) });
    const transport = scripted(unpatchable(), successor);
    const error = await kubeOver(transport)
      .patchStatus(fresh, { phase: "Ready" })
      .catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ConflictError);
    expect((error as Error).message).toContain("it was recreated");
    expect(transport.sent).toHaveLength(2);
  });

  test("is refused once where the object did not change", async () => {
    const transport = scripted(unpatchable(), fresh);
    const error = await kubeOver(transport)
      .patchStatus(fresh, { phase: "Ready" })
      .catch((error: unknown) => error);
    expect(error).toBeInstanceOf(InvalidError);
    expect((error as Error).message).toContain("the object was changed or recreated");
    expect(transport.sent).toHaveLength(2);
  });

  test("is refused at once where it breaks the schema", async () => {
    const causes = [{ field: "status.phase", message: "Invalid value", reason: "FieldValueInvalid" }];
    const transport = scripted(status(422, "Invalid", { message: "status.phase is wrong", details: { causes } }));
    await expect(kubeOver(transport).patchStatus(fresh, { phase: "Ready" })).rejects.toThrow("status.phase is wrong");
    expect(transport.sent).toHaveLength(1);
  });

  test("gives up after three tries", async () => {
    const at = (resourceVersion: string) => document({ metadata: meta({ resourceVersion }) });
    const transport = scripted(unpatchable(), at("6"), unpatchable(), at("7"), unpatchable());
    await expect(kubeOver(transport).patchStatus(fresh, { phase: "Ready" })).rejects.toBeInstanceOf(InvalidError);
    expect(transport.sent).toHaveLength(5);
  });

  test("of an object that is gone tells so", async () => {
    const transport = scripted(absent("a", "documents", "example.com"));
    await expect(kubeOver(transport).patchStatus(fresh, { phase: "Ready" })).rejects.toBeInstanceOf(NotFoundError);
  });
});
