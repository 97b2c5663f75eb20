import { describe, expect, it } from "vitest";
import { API_VERSION, mapAnswer } from "../../../functions/contract/index.ts";
import type { Controller } from "../../../functions/controller/controller.ts";
import type { MapContext } from "../../../functions/controller/relations.ts";
import { Secret } from "../../../functions/kinds.ts";
import { documents } from "../controller/documents.ts";
import { HOME, ingressUnderTest, MAPPED } from "./ingress-under-test.ts";

type MapTo = (object: Secret, context: MapContext<{ TEAM: string }>) => unknown;

/** An ingress whose controller maps Secrets by this code, and what it answers for these objects. */
async function asked(mapTo: MapTo, objects: object[], path = `/map/documents/${encodeURIComponent(MAPPED)}`) {
  const controller = documents({ watches: [{ resource: Secret, mapTo: mapTo as never }] });
  const ingress = ingressUnderTest({ controllers: [controller as unknown as Controller], env: { TEAM: "x" } });
  const sending = ingress.send("POST", path, {
    body: JSON.stringify({ apiVersion: API_VERSION, cluster: "home", objects }),
  });
  return { ingress, sending };
}
const secret = (name: string, over: object = {}) => ({
  object: { apiVersion: "v1", kind: "Secret", metadata: { name, namespace: "default" }, ...over },
});
const cyclic: unknown[] = [];
cyclic.push(cyclic);
const results = async (response: Response) => mapAnswer.parse(await response.json()).results;

describe("POST /map", () => {
  it("answers each object's keys, in the request's order", async () => {
    const { sending } = await asked(
      ({ metadata: { name, namespace } }) => [
        { namespace, name },
        { namespace, name: "z" },
      ],
      [secret("a"), secret("b")],
    );
    const response = await sending;
    expect(response.status).toBe(200);
    expect(await results(response)).toEqual(
      ["a", "b"].map((name) => ({
        keys: ["default", "default"].map((namespace, i) => ({ namespace, name: i ? "z" : name })),
      })),
    );
  });

  it("gives the code the object, whether it is gone, the cluster and the environment", async () => {
    const seen: unknown[] = [];
    const { sending } = await asked(
      (object, { cluster, deleted, env }) => {
        seen.push([object.data, cluster, deleted, env]);
        return [];
      },
      [secret("a", { data: { k: "v" } }), { ...secret("b"), deleted: true }],
    );
    expect(await results(await sending)).toEqual([{ keys: [] }, { keys: [] }]);
    expect(seen).toEqual([
      [{ k: "v" }, "home", false, { TEAM: "x" }],
      [undefined, "home", true, { TEAM: "x" }],
    ]);
  });

  it("takes code that waits", async () => {
    const { sending } = await asked(async () => [{ namespace: "default", name: "a" }], [secret("a")]);
    expect(await results(await sending)).toEqual([{ keys: [{ namespace: "default", name: "a" }] }]);
  });

  it("X4 what the code throws is its object's error, without a secret in it", async () => {
    const { sending } = await asked(
      ({ metadata }) => {
        if (metadata.name === "a") throw new Error(`no team for ${HOME}`);
        return [];
      },
      [secret("a"), secret("b")],
    );
    expect(await results(await sending)).toEqual([{ error: "no team for [secret]" }, { keys: [] }]);
  });

  it.each<[string, MapTo]>([
    ["no list", () => "a"],
    ["nothing", () => undefined],
    ["more than 1000 keys", () => Array.from({ length: 1_001 }, () => ({ name: "a" }))],
  ])("%s is an error that says what is wanted", async (_, mapTo) => {
    const { sending } = await asked(mapTo, [secret("a")]);
    expect(await results(await sending)).toEqual([{ error: "mapTo must return a list of at most 1000 keys" }]);
  });

  it.each<[string, unknown]>([
    ["a name that JSON cannot hold", 1n],
    ["a name within itself", cyclic],
    [
      "a name that throws as it is sent",
      {
        toJSON() {
          throw new Error("not this one");
        },
      },
    ],
  ])("X3 %s is its object's error, and holds no other", async (_, name) => {
    const { sending } = await asked(
      ({ metadata }) => [{ name: metadata.name === "a" ? name : "z" }],
      [secret("a"), secret("b")],
    );
    const response = await sending;
    expect(response.status).toBe(200);
    expect(await results(response)).toEqual([{ error: expect.any(String) }, { keys: [{ name: "z" }] }]);
  });

  it("code that does not come back is an error after 10 s, and holds no other", async () => {
    const { ingress, sending } = await asked(
      ({ metadata }) => (metadata.name === "a" ? new Promise(() => {}) : []),
      [secret("a"), secret("b")],
    );
    await ingress.clock.settle();
    await ingress.clock.advance(10_000);
    expect(await results(await sending)).toEqual([{ error: expect.stringContaining("10000 ms") }, { keys: [] }]);
  });

  it.each([
    "/map/others/watches%2FSecret",
    "/map/documents/watches%2FPod",
    "/map/documents/for",
    "/map/documents/owns",
  ])("%s is no relation by code: 404", async (path) => {
    const { sending } = await asked(() => [], [secret("a")], path);
    expect((await sending).status).toBe(404);
  });
});
