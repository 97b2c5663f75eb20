import { expect, it } from "vitest";
import { createApiServer } from "../../adapters/testing/index.ts";
import { CONFIG_MAPS, call } from "./support.ts";

const server = createApiServer();

it("a path that is no text in percent-encoding is a 400", async () => {
  expect((await server.transport.fetch(`${CONFIG_MAPS}/%zz`)).status).toBe(400);
});

it("a namespace with a generated name has its name as a label", async () => {
  const { status, body } = await call(server, "POST", "/api/v1/namespaces", { metadata: { generateName: "a-" } });
  expect(status).toBe(201);
  expect(body.metadata.labels).toEqual({ "kubernetes.io/metadata.name": body.metadata.name });
});

it("applying a CRD without a name rejects and says so", async () => {
  await expect(server.applyCrd({})).rejects.toThrow("applyCrd: the CRD has no metadata.name");
});
