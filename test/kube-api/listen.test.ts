import { afterAll, beforeAll, expect, it } from "vitest";
import { createApiServer } from "../../adapters/testing/index.ts";
import { call, configMap } from "./support.ts";

const server = createApiServer();
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
let http: Awaited<ReturnType<typeof server.listen>>;

beforeAll(async () => {
  http = await server.listen();
});
afterAll(() => http.close());

it("the HTTP server and the handler in process share one store", async () => {
  await call(server, "POST", CONFIG_MAPS, configMap("a", { k: "v" }));
  const response = await fetch(`${http.url}${CONFIG_MAPS}/a`);
  expect(await response.json()).toMatchObject({ data: { k: "v" } });
  expect(response.headers.get("content-type")).toBe("application/json");
});

it("bodies and content types arrive", async () => {
  const response = await fetch(`${http.url}${CONFIG_MAPS}/b?fieldManager=m`, {
    method: "PATCH",
    headers: { "content-type": "application/apply-patch+yaml" },
    body: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata: {ü: x}\n",
  });
  expect(response.status).toBe(422);
  expect(await response.text()).toContain("data[ü]");
});

it("a watch streams each change at once, and its end reaches the client", async () => {
  const response = await fetch(`${http.url}${CONFIG_MAPS}?watch=true&resourceVersion=${server.revision()}`);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  await call(server, "POST", CONFIG_MAPS, configMap("c"));
  expect(JSON.parse((await reader.read()).value!)).toMatchObject({
    type: "ADDED",
    object: { metadata: { name: "c" } },
  });
  server.disconnectWatches();
  expect((await reader.read()).done).toBe(true);
});

it("a client that goes ends its watch; reading on fails as it does with fetch", async () => {
  const abort = new AbortController();
  const overHttp = await fetch(`${http.url}${CONFIG_MAPS}?watch=true`, { signal: abort.signal });
  const inProcess = await server.transport.fetch(`${CONFIG_MAPS}?watch=true`, { signal: abort.signal });
  abort.abort();
  await expect(overHttp.text()).rejects.toThrow("aborted");
  await expect(inProcess.text()).rejects.toThrow("aborted");
});

it("a request that is aborted before it is sent is not sent", async () => {
  const before = server.revision();
  const init = { method: "POST", body: JSON.stringify(configMap("d")), signal: AbortSignal.abort() };
  await expect(server.transport.fetch(CONFIG_MAPS, init)).rejects.toThrow("aborted");
  expect(server.revision()).toBe(before);
});
