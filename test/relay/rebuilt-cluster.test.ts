import { describe, expect, it } from "vitest";
import { CHECK_EVERY_MS } from "../../infra/relay/identity.ts";
import { restarts } from "./checkpoint/restarts.ts";

const INDEX = "checkpoint:home/index";

/** A cluster with a Document, which a relay knew and watches no more. */
async function known() {
  const bench = await restarts();
  const { kubectl, kv, world } = bench;
  world.strict = {};
  await bench.create("a");
  const relay = await bench.start();
  expect(bench.triggered()).toEqual(["resync docs/a", "resync more/a"]);
  await relay.stop();
  const uid = async () => (await kubectl().get("/api/v1/namespaces/kube-system"))!.metadata.uid;
  const stored = async () => JSON.parse((await kv.get(INDEX))!).state;
  return { ...bench, uid, stored, old: await uid() };
}

/** Another one under its name, with other objects. */
async function rebuilt() {
  const bench = await known();
  await bench.world.rebuild();
  await bench.create("b");
  return { ...bench, now: await bench.uid() };
}

describe("a cluster whose identity is known", () => {
  it("is kept with the checkpoint", async () => {
    const { old, stored } = await known();
    expect((await stored()).clusterUid).toBe(old);
  });

  it("R7 triggers nothing when the relay is restarted", async () => {
    const { start, triggered } = await known();
    const { relay } = await start();
    expect(relay.status()).toMatchObject({ ready: true, reasons: [] });
    expect(triggered()).toEqual([]);
  });

  it("goes on being known to a relay that may not ask", async () => {
    const { old, start, stored, world } = await known();
    const { transport } = world.server;
    const status = { apiVersion: "v1", kind: "Status", status: "Failure", code: 403, message: "is forbidden" };
    const fetch: typeof transport.fetch = async (path, init) =>
      path.endsWith("/kube-system") ? Response.json(status, { status: 403 }) : transport.fetch(path, init);
    world.identity = { ...world.server, transport: { ...transport, fetch } };
    const { relay, stop } = await start();
    expect(relay.status().reasons).toEqual(["cluster: 403 GET /api/v1/namespaces/kube-system: is forbidden"]);
    await world.create("b");
    await world.clock.settle();
    expect(world.triggered()).toEqual(["live docs/b", "live more/b"]);
    await stop();
    expect((await stored()).clusterUid).toBe(old);
  });
});

describe("a cluster that was built anew under an old name", () => {
  it("is left alone: nothing is listed, delivered or saved, and the reason names the flag", async () => {
    const { now, old, start, stored, triggered, clock, world } = await rebuilt();
    const { relay, requests, stop } = await start();
    await clock.advance(60_000);
    expect(relay.status().reasons).toEqual([expect.stringContaining(`is ${now}, not ${old}`)]);
    expect(relay.status().reasons[0]).toContain(`--accept-cluster ${now}`);
    expect(new Set(requests())).toEqual(new Set(["identify"]));
    await stop();
    expect(triggered()).toEqual([]);
    expect((await stored()).clusterUid).toBe(old);
    expect(world.asked.filter((asked) => asked.startsWith("POST /triggers"))).toHaveLength(1);
  });

  it("is triggered whole once it is accepted, and known from then on", async () => {
    const { now, start, stored, triggered, world } = await rebuilt();
    world.strict = { accept: String(now) };
    const { relay, stop } = await start();
    expect(triggered()).toEqual(["resync docs/b", "resync more/b"]);
    expect(relay.status().ready).toBe(true);
    await stop();
    expect((await stored()).clusterUid).toBe(now);
    world.strict = {};
    const { relay: next } = await start();
    expect(next.status().ready).toBe(true);
    expect(triggered()).toEqual([]);
  });

  it("is noticed where the checkpoint comes too late, and nothing is saved over it", async () => {
    const { clock, kv, start, triggered, world } = await rebuilt();
    const before = await kv.get(INDEX);
    let away = true;
    world.instead = (method, path) =>
      away && method === "GET" && path.startsWith("/checkpoint") ? new Response("", { status: 503 }) : undefined;
    const { relay, stop } = await start();
    await clock.advance(16_000);
    expect(triggered()).toEqual(["resync docs/b", "resync more/b"]);
    away = false;
    await clock.advance(30_000);
    expect(relay.status().reasons).toEqual([expect.stringContaining("--accept-cluster")]);
    await world.create("c");
    await clock.advance(600_000);
    await stop();
    expect(triggered()).toEqual([]);
    expect(await kv.get(INDEX)).toBe(before);
  });
});

describe("a cluster that does not say yet which it is", () => {
  it("is left alone, even where the checkpoint does not come either", async () => {
    const { clock, start, world } = await known();
    world.instead = (_, path) => (path.startsWith("/checkpoint") ? new Response("", { status: 503 }) : undefined);
    const silent = { fetch: () => new Promise<never>(() => {}) };
    world.identity = { ...world.server, transport: silent };
    const { requests } = await start();
    await clock.advance(60_000);
    expect(new Set(requests())).toEqual(new Set(["identify"]));
    world.identity = world.server;
    await clock.advance(60_000);
    expect(requests()).toContain("list documents");
  });
});

describe("an address that leads to another cluster for a while", () => {
  it("stops what is delivered until it leads back", async () => {
    const { clock, create, start, triggered, world } = await known();
    const { relay } = await start();
    world.identity = (await restarts()).server;
    await clock.advance(CHECK_EVERY_MS);
    await create("d");
    await clock.advance(30_000);
    expect(relay.status().reasons.join()).toContain("--accept-cluster");
    expect(relay.status().outbox.pending).toBe(2);
    expect(triggered()).toEqual([]);
    world.identity = world.server;
    await clock.advance(120_000);
    expect(relay.status()).toMatchObject({ reasons: [], outbox: { pending: 0 } });
    expect(triggered()).toEqual(["live docs/d", "live more/d"]);
  });
});
