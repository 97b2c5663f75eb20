import { describe, expect, test } from "vitest";
import {
  BadRequestError,
  ConflictError,
  ForbiddenError,
  GoneError,
  InvalidError,
  isAbsent,
  KubeError,
  NotFoundError,
  NotServedError,
  ServerError,
  TooManyRequestsError,
  UnauthorizedError,
} from "../../../functions/kube/errors.ts";
import { ConfigMap, configMaps, Document, Namespace, Secret } from "./objects.ts";
import { absent, kubeOver, scripted, status } from "./scripted-transport.ts";

const at = { namespace: "default", name: "a" };

async function failure(answer: Response): Promise<KubeError> {
  const error = await kubeOver(scripted(answer))
    .get(ConfigMap, at)
    .catch((error: unknown) => error);
  expect(error).toBeInstanceOf(KubeError);
  return error as KubeError;
}

describe("errors by status and reason", () => {
  test.each([
    [400, "BadRequest", BadRequestError],
    [401, "Unauthorized", UnauthorizedError],
    [403, "Forbidden", ForbiddenError],
    [404, "NotFound", NotServedError],
    [405, "MethodNotAllowed", KubeError],
    [409, "AlreadyExists", ConflictError],
    [409, "Conflict", ConflictError],
    [410, "Expired", GoneError],
    [422, "Invalid", InvalidError],
    [429, "TooManyRequests", TooManyRequestsError],
    [500, "InternalError", ServerError],
    [503, "ServiceUnavailable", ServerError],
    [504, "Timeout", ServerError],
  ])("%i %s", async (code, reason, type) => {
    const error = await failure(status(code, reason, { message: "no luck" }));
    expect(error.constructor).toBe(type);
    expect(error.name).toBe(type.name);
    expect(error).toMatchObject({ status: code, reason, method: "GET", path: `${configMaps}/a` });
    expect(error.message).toContain("no luck");
  });

  test("the query of the request is in no error", async () => {
    const list = kubeOver(scripted(status(403, "Forbidden"))).list(ConfigMap, { labelSelector: "token=hidden" });
    const error = (await list[Symbol.asyncIterator]()
      .next()
      .catch((error: unknown) => error)) as KubeError;
    expect(error).toBeInstanceOf(ForbiddenError);
    expect(`${error.message} ${error.path}`).not.toContain("hidden");
  });

  test("a message is cut to the limit of an answer's error", async () => {
    expect((await failure(status(422, "Invalid", { message: "x".repeat(5_000) }))).message).toHaveLength(1024);
  });

  test.each([
    ["the header", status(429, "TooManyRequests"), { "retry-after": "3" }, 3_000],
    ["the details", status(503, "ServiceUnavailable", { details: { retryAfterSeconds: 7 } }), {}, 7_000],
    ["a header that is no number", status(429, "TooManyRequests"), { "retry-after": "tomorrow" }, undefined],
    ["neither", status(429, "TooManyRequests"), {}, undefined],
  ])("how long to wait is read from %s", async (_, answer, headers, expected) => {
    for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
    expect((await failure(answer)).retryAfterMs).toBe(expected);
  });

  test.each([502, 404, 401, 200])("an HTML page with %i is an error that quotes none of it", async (code) => {
    const page = new Response("<h1>hidden</h1>", { status: code, headers: { "content-type": "text/html" } });
    const error = await failure(page);
    expect(error).toMatchObject({ status: code, reason: "" });
    const hint = code === 404 ? "; is the kind served, and its CRD applied?" : "";
    expect(error.message).toBe(`GET ${configMaps}/a: ${code} with text/html, which is no Kubernetes answer${hint}`);
  });
});

describe("F2 what proves that an object does not exist", () => {
  test.each([
    ["its own Status", absent("a", "configmaps"), true],
    ["another name", absent("b", "configmaps"), false],
    ["its namespace", absent("a", "namespaces"), false],
    ["another group", absent("a", "configmaps", "example.com"), false],
    ["a version that is not served", status(404, "NotFound", { details: {} }), false],
    ["a Status without details", status(404, "NotFound"), false],
    ["another reason", status(404, "Weird", { details: { name: "a", kind: "configmaps" } }), false],
    ["a route of a proxy", new Response("404 page not found", { status: 404 }), false],
    ["another status", status(403, "NotFound", { details: { name: "a", kind: "configmaps" } }), false],
    ["another apiVersion", Response.json({ kind: "Status", apiVersion: "v2" }, { status: 404 }), false],
  ])("%s", async (_, answer, expected) => {
    expect(isAbsent(await failure(answer), { resource: ConfigMap, name: "a" })).toBe(expected);
  });

  test("a kind of a group is named with it", () => {
    const details = { name: "a", kind: "documents", group: "example.com" };
    const error = new NotFoundError({ status: 404, reason: "NotFound", message: "", details, method: "GET", path: "" });
    expect(isAbsent(error, { resource: Document, name: "a" })).toBe(true);
    expect(isAbsent(error, { resource: ConfigMap, name: "a" })).toBe(false);
  });

  test("find gives undefined for proof only", async () => {
    const kube = kubeOver(scripted(absent("a", "namespaces"), status(404, "NotFound")));
    expect(await kube.find(Namespace, { name: "a" })).toBeUndefined();
    await expect(kube.find(Namespace, { name: "a" })).rejects.toBeInstanceOf(NotServedError);
  });
});

describe("X4 no value of a Secret is in an error", () => {
  const leak = {
    message: ".data.password: expected string, got &value.valueUnstructured{Value:12345}",
    details: { causes: [{ reason: "FieldValueInvalid", field: "data.password", message: "Invalid value: 12345" }] },
  };

  test.each([400, 422, 500])("%i", async (code) => {
    const draft = { apiVersion: "v1", kind: "Secret", metadata: at, data: {} };
    const error = (await kubeOver(scripted(status(code, "Invalid", leak)))
      .apply(draft)
      .catch((error: unknown) => error)) as KubeError;
    expect(error).toBeInstanceOf(KubeError);
    expect(JSON.stringify([error.message, error.stack, error.details])).not.toContain("12345");
    expect(error.details?.causes).toEqual([{ reason: "FieldValueInvalid", field: "data.password" }]);
  });

  test("an absent Secret is still told as such", async () => {
    const error = await kubeOver(scripted(absent("a", "secrets")))
      .get(Secret, at)
      .catch((error: unknown) => error);
    expect((error as Error).message).toContain('secrets "a" not found');
  });

  test("messages about other kinds stay", async () => {
    expect((await failure(status(422, "Invalid", leak))).message).toContain("12345");
  });
});
