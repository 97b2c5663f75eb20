import { beforeEach, expect, it } from "vitest";
import { type ApiServer, createApiServer } from "../../adapters/testing/index.ts";
import { CONFIG_MAPS, call, configMap } from "./support.ts";

let server: ApiServer;
let version: string;

beforeEach(async () => {
  server = createApiServer();
  version = (await call(server, "POST", CONFIG_MAPS, configMap("a"))).body.metadata.resourceVersion!;
  await call(server, "POST", CONFIG_MAPS, configMap("b"));
});

it("a watch from before a compaction is a 410 event in a 200 stream", async () => {
  server.compact();
  const response = await server.transport.fetch(`${CONFIG_MAPS}?watch=true&resourceVersion=${version}`);
  expect(response.status).toBe(200);
  expect(JSON.parse(await response.text())).toMatchObject({
    type: "ERROR",
    object: {
      kind: "Status",
      code: 410,
      reason: "Expired",
      message: `too old resource version: ${version} (${server.revision()})`,
    },
  });
});

it("a watch from before a compaction is a 410 where a test wants that form", async () => {
  server.compact("status");
  const { status, body } = await call(server, "GET", `${CONFIG_MAPS}?watch=true&resourceVersion=${version}`);
  expect([status, body.reason]).toEqual([410, "Expired"]);
});

it("a watch from the compacted version itself goes on", async () => {
  server.compact();
  const response = await server.transport.fetch(`${CONFIG_MAPS}?watch=true&resourceVersion=${server.revision()}`);
  await call(server, "DELETE", `${CONFIG_MAPS}/a`);
  server.disconnectWatches();
  expect(JSON.parse(await response.text())).toMatchObject({ type: "DELETED", object: { metadata: { name: "a" } } });
});

it("a page token from before a compaction is a 410 with a token that goes on as of now", async () => {
  const first = await call(server, "GET", `${CONFIG_MAPS}?limit=1`);
  await call(server, "POST", CONFIG_MAPS, configMap("c"));
  server.compact();
  const expired = await call(server, "GET", `${CONFIG_MAPS}?limit=1&continue=${first.body.metadata.continue}`);
  expect([expired.status, expired.body.reason]).toEqual([410, "Expired"]);
  const rest = await call(server, "GET", `${CONFIG_MAPS}?continue=${expired.body.metadata.continue}`);
  expect((rest.body.items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name)).toEqual([
    "b",
    "c",
  ]);
});

it("a list as of a compacted version is a 410", async () => {
  server.compact();
  const { status } = await call(server, "GET", `${CONFIG_MAPS}?resourceVersion=${version}&resourceVersionMatch=Exact`);
  expect(status).toBe(410);
});

it("a broken watch resumes without a gap from the version it saw last", async () => {
  const path = `${CONFIG_MAPS}?watch=true&resourceVersion=`;
  const broken = await server.transport.fetch(`${path}${version}`);
  server.disconnectWatches();
  const { object } = JSON.parse(await broken.text()) as { object: { metadata: { resourceVersion: string } } };
  await call(server, "DELETE", `${CONFIG_MAPS}/a`);
  const resumed = await server.transport.fetch(`${path}${object.metadata.resourceVersion}`);
  server.disconnectWatches();
  expect(JSON.parse(await resumed.text())).toMatchObject({ type: "DELETED", object: { metadata: { name: "a" } } });
});
