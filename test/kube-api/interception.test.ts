import { describe, expect, it } from "vitest";
import { createApiServer } from "../../adapters/testing/index.ts";
import { CONFIG_MAPS, call, configMap } from "./support.ts";

it("a request that a test throttles is a 429 with Retry-After, until the test ends it", async () => {
  const server = createApiServer();
  const end = server.intercept(({ verb }) =>
    verb === "create" ? { tooManyRequests: { retryAfterSeconds: 3 } } : undefined,
  );
  const refused = await call(server, "POST", CONFIG_MAPS, configMap("a"));
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3"]);
  expect(refused.body).toMatchObject({ kind: "Status", reason: "TooManyRequests", details: { retryAfterSeconds: 3 } });
  expect((await call(server, "GET", CONFIG_MAPS)).status).toBe(200);
  end();
  expect((await call(server, "POST", CONFIG_MAPS, configMap("a"))).status).toBe(201);
});

it("a stale read answers as of the older version, and writes do not", async () => {
  const server = createApiServer();
  await call(server, "POST", CONFIG_MAPS, configMap("a", { k: "old" }));
  const asOf = server.revision();
  await call(server, "PATCH", `${CONFIG_MAPS}/a`, { data: { k: "new" } });
  await call(server, "POST", CONFIG_MAPS, configMap("b"));
  const end = server.intercept(() => ({ asOf }));
  const stale = await call(server, "GET", `${CONFIG_MAPS}/a`);
  expect(stale.body).toMatchObject({ data: { k: "old" }, metadata: { resourceVersion: String(asOf) } });
  expect((await call(server, "GET", `${CONFIG_MAPS}/b`)).status).toBe(404);
  const list = await call(server, "GET", CONFIG_MAPS);
  expect(list.body).toMatchObject({ metadata: { resourceVersion: String(asOf) }, items: [{ data: { k: "old" } }] });
  const { metadata } = stale.body;
  expect((await call(server, "PATCH", `${CONFIG_MAPS}/a`, { metadata, data: { k: "newer" } })).status).toBe(409);
  end();
  expect((await call(server, "GET", `${CONFIG_MAPS}/a`)).body.data).toEqual({ k: "new" });
});

it("a stale read shows an object that is deleted by now, under its old uid", async () => {
  const server = createApiServer();
  const old = await call(server, "POST", CONFIG_MAPS, configMap("a"));
  const asOf = server.revision();
  await call(server, "DELETE", `${CONFIG_MAPS}/a`);
  await call(server, "POST", CONFIG_MAPS, configMap("a"));
  server.intercept(({ verb }) => (verb === "get" ? { asOf } : undefined));
  expect((await call(server, "GET", `${CONFIG_MAPS}/a`)).body.metadata.uid).toBe(old.body.metadata.uid);
});

describe("an interception that a server cannot follow", () => {
  it("a read as of a forgotten revision is a 410", async () => {
    const server = createApiServer();
    await call(server, "POST", CONFIG_MAPS, configMap("a"));
    const asOf = server.revision();
    await call(server, "DELETE", `${CONFIG_MAPS}/a`);
    server.compact();
    server.intercept(() => ({ asOf }));
    for (const path of [CONFIG_MAPS, `${CONFIG_MAPS}/a`]) {
      const { status, body } = await call(server, "GET", path);
      expect([status, body.reason]).toEqual([410, "Expired"]);
    }
  });

  it.each([0, -1, 1.5, 1000])("a read as of revision %d rejects and says which there are", async (asOf) => {
    const server = createApiServer();
    server.intercept(() => ({ asOf }));
    const expected = new RangeError(
      `asOf: ${asOf} is no revision of the server: they go from 1 to ${server.revision()}`,
    );
    await expect(server.transport.fetch(CONFIG_MAPS)).rejects.toEqual(expected);
    await expect(server.transport.fetch(`${CONFIG_MAPS}/a`)).rejects.toEqual(expected);
  });

  it("a watch as of an older revision rejects", async () => {
    const server = createApiServer();
    server.intercept(() => ({ asOf: server.revision() }));
    await expect(server.transport.fetch(`${CONFIG_MAPS}?watch=true`)).rejects.toThrow("asOf: a watch cannot");
  });

  it("what an interceptor throws reaches who sent the request", async () => {
    const server = createApiServer();
    const mistake = new Error("a typing mistake");
    server.intercept(() => {
      throw mistake;
    });
    await expect(server.transport.fetch(CONFIG_MAPS)).rejects.toBe(mistake);
  });
});
