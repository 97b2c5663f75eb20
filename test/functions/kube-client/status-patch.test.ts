import * as fc from "fast-check";
import { applyPatch, type Operation } from "rfc6902";
import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../../functions/kube/resource.ts";
import { sameJson, statusPatch } from "../../../functions/kube/status-patch.ts";
import { document, meta } from "./objects.ts";

const uid = { op: "test", path: "/metadata/uid", value: "uid-1" };

describe("a status patch", () => {
  const ready = document({ status: { phase: "Ready", items: [{ name: "x" }] } });

  test.each([
    [
      "F4 sets one field, and tests the uid",
      ready,
      { phase: "Gone" },
      [{ op: "add", path: "/status/phase", value: "Gone" }],
    ],
    [
      "F5 has nothing but what differs",
      ready,
      { phase: "Ready", observedGeneration: 2 },
      [{ op: "add", path: "/status/observedGeneration", value: 2 }],
    ],
    [
      "replaces a list as a whole",
      ready,
      { items: [{ name: "y" }] },
      [{ op: "add", path: "/status/items", value: [{ name: "y" }] }],
    ],
    ["removes what is given as undefined", ready, { phase: undefined }, [{ op: "remove", path: "/status/phase" }]],
    [
      "makes a status where there is none, unless another has",
      document(),
      { phase: "Ready" },
      [
        { op: "test", path: "/status", value: null },
        { op: "add", path: "/status", value: { phase: "Ready" } },
      ],
    ],
    [
      "writes a field's name as a JSON pointer",
      ready,
      { "a/b~c": 1 },
      [{ op: "add", path: "/status/a~1b~0c", value: 1 }],
    ],
  ])("%s", (_, object, wanted, operations) => {
    expect(statusPatch(object, wanted)).toEqual([uid, ...operations]);
  });

  test.each([
    ["the same fields", ready, { items: [{ name: "x" }], phase: "Ready" }],
    ["no fields", ready, {}],
    ["an absent field given as undefined", ready, { observedGeneration: undefined }],
    ["no status and nothing to set", document(), { phase: undefined }],
  ])("F5 is empty with %s", (_, object, wanted) => {
    expect(statusPatch(object, wanted)).toEqual([]);
  });

  const value = fc.jsonValue({ maxDepth: 3 });
  // As it would come over the wire: JSON has no negative zero.
  const fields = fc
    .dictionary(fc.string({ maxLength: 4 }), value, { maxKeys: 4, noNullPrototype: true })
    .map((fields) => JSON.parse(JSON.stringify(fields)) as Record<string, unknown>);

  test("applied to the object it gives the wanted status, and then has nothing left to do", async () => {
    const holds = fc.property(fields, fields, (status, wanted) => {
      const object = JSON.parse(JSON.stringify({ metadata: meta(), status })) as KubeObject;
      expect(applyPatch(object, statusPatch(object, wanted) as Operation[]).filter(Boolean)).toEqual([]);
      expect(object).toEqual(JSON.parse(JSON.stringify({ metadata: meta(), status: { ...status, ...wanted } })));
      expect(statusPatch(object, wanted)).toEqual([]);
    });
    await fc.assert(holds);
  });
});

describe("the same as JSON", () => {
  test.each([
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1, b: undefined }, { a: 1 }, true],
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [{ 0: 1 }, [1], false],
    [null, {}, false],
    [null, undefined, false],
    [1, "1", false],
  ])("%j and %j: %j", (a, b, expected) => {
    expect(sameJson(a, b)).toBe(expected);
  });
});
