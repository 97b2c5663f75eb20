import { describe, expect, it } from "vitest";
import { API_VERSION, problemOf } from "../../../functions/contract/index.ts";
import { documents, relationOf } from "../support/objects.ts";
import { deployment, named, owned, primary } from "../support/redeployed.ts";
import { CONFIG_MAPS, DOCUMENTS, declared, EVERYTHING, restarts, running } from "./restarts.ts";

const INDEX = "checkpoint:home/index";
const docsOnly = EVERYTHING.filter((key) => key.includes("docs/"));
const refused = (code: string, status = 404) => Response.json(problemOf(code, code), { status });

describe("R7 everything is triggered, in the resync lane,", () => {
  it.each<[string, (bench: Awaited<ReturnType<typeof running>>) => unknown]>([
    ["where the checkpoint is gone", ({ kv }) => kv.delete(INDEX)],
    [
      "where a part of it is gone",
      async ({ kv }) => {
        const { parts } = JSON.parse((await kv.get(INDEX))!);
        await kv.delete(`checkpoint:home/${parts[0]}`);
      },
    ],
    [
      "where a part of it is another one",
      async ({ kv }) => {
        const { parts } = JSON.parse((await kv.get(INDEX))!);
        await kv.set(`checkpoint:home/${parts[0]}`, '{"plans":[],"pending":[],"records":[]}', { expireInMs: 1e9 });
      },
    ],
    [
      "where it is of another version",
      async ({ kv }) => {
        const text = (await kv.get(INDEX))!;
        await kv.set(INDEX, text.replace('"format":2', '"format":3'), { expireInMs: 1e9 });
      },
    ],
    [
      "where a cursor in it is another one than was written",
      async ({ kv, kubectl }) => {
        await kubectl().create("/api/v1/namespaces", { metadata: { name: "later" } });
        const index = JSON.parse((await kv.get(INDEX))!);
        for (const watch of index.state.watches) watch.cursor = String(Number(watch.cursor) + 1);
        await kv.set(INDEX, JSON.stringify(index), { expireInMs: 1e9 });
      },
    ],
    [
      "where the functions keep none any more",
      ({ world }) => {
        world.instead = (_, path) => (path.startsWith("/checkpoint") ? refused("not-found") : undefined);
      },
    ],
    [
      "where the scheduler's store was replaced meanwhile (S14)",
      ({ world }) => {
        world.epoch = "e2";
      },
    ],
  ])("%s", async (_, change) => {
    const bench = await running();
    await bench.relay.stop();
    await change(bench);
    await bench.start();
    expect(bench.triggered()).toEqual(EVERYTHING);
  });

  it("where the store is away for 15 s: sooner than that it waits", async () => {
    const { clock, relay, start, triggered, world } = await running();
    await relay.stop();
    world.instead = (_, path) => (path.startsWith("/checkpoint") ? refused("unavailable", 503) : undefined);
    await start();
    await clock.advance(14_999);
    expect(triggered()).toEqual([]);
    await clock.advance(1);
    for (let hops = 0; hops < 10; hops++) await clock.settle();
    expect(triggered()).toEqual(EVERYTHING);
  });

  it("where the cluster was put back to an older state meanwhile (R14)", async () => {
    const { relay, start, triggered, world } = await running();
    await relay.stop();
    const older = await restarts();
    for (const name of ["a", "b"]) await older.create(name);
    world.server = older.server;
    await start();
    expect(older.server.revision()).toBeLessThan(20);
    expect(triggered()).toEqual(EVERYTHING);
  });
});

describe("R7 a cluster that is another one under the old name", () => {
  it("has everything triggered, and of the old one nothing is left", async () => {
    const { relay, start, triggered, world } = await running();
    await relay.stop();
    const other = await restarts();
    for (const name of ["a", "b", "z"]) await other.create(name);
    for (let i = 0; i < 30; i++) await other.kubectl().create("/api/v1/namespaces", { metadata: { name: `n${i}` } });
    expect(other.server.revision(), "so that no version tells").toBeGreaterThan(world.server.revision());
    world.server = world.identity = other.server;
    const { relay: next } = await start();
    const names = ["a", "b", "z"];
    expect(triggered()).toEqual(["docs", "more"].flatMap((by) => names.map((name) => `resync ${by}/${name}`)));
    expect(next.status().watches.map(({ objects }) => objects)).toEqual([3, 0, 0]);
  });

  it("is told from one whose API server does not answer yet: that is waited for", async () => {
    const { clock, relay, start, triggered, world } = await running();
    await relay.stop();
    world.down = true;
    const { relay: next } = await start();
    await clock.advance(60_000);
    expect(next.status()).toMatchObject({ ready: false, reasons: ["cluster: fetch failed"] });
    world.down = false;
    await clock.advance(60_000);
    expect(next.status().reasons).toEqual([]);
    expect(triggered()).toEqual([]);
  });

  it("is not told by an account that may not read kube-system: then versions alone tell (R14)", async () => {
    const { relay, start, triggered, world } = await running();
    const forbidden = { fetch: async () => new Response("{}", { status: 403 }) };
    world.identity = { ...world.identity, transport: forbidden };
    await relay.stop();
    const { relay: next } = await start();
    expect(next.status().ready).toBe(true);
    expect(triggered()).toEqual([]);
  });
});

describe("R7 a store that comes back within 15 s", () => {
  it("is waited for, and nothing is triggered", async () => {
    const { clock, relay, start, triggered, world } = await running();
    await relay.stop();
    world.instead = (_, path) => (path.startsWith("/checkpoint") ? refused("unavailable", 503) : undefined);
    const { relay: next } = await start();
    world.instead = undefined;
    await clock.advance(10_000);
    expect(next.status()).toMatchObject({ ready: true });
    expect(triggered()).toEqual([]);
  });
});

describe("R12 functions that were deployed while the relay was down", () => {
  const relations = { docs: [primary, owned(), named(".spec.secretName")], more: [primary] };

  it("have the keys of the changed controller triggered, and no others", async () => {
    const { relay, requests, start, triggered, world } = { requests: () => [], ...(await running()) };
    await relay.stop();
    world.manifest = deployment({
      docs: { revision: "d2", relations: relations.docs },
      more: { revision: "m1", relations: relations.more },
    });
    const next = await start();
    expect(triggered()).toEqual(docsOnly);
    expect(next.requests().filter((request) => request.startsWith("list"))).toEqual(requests());
  });

  it("are gone on with after a restart in the middle of it, each key once", async () => {
    const { relay, start, triggered, world } = await running();
    await relay.stop();
    world.manifest = deployment({
      docs: { revision: "d2", relations: relations.docs },
      more: { revision: "m1", relations: relations.more },
    });
    world.refusing = true;
    const interrupted = await start();
    await interrupted.stop();
    expect(triggered()).toEqual([]);
    world.refusing = false;
    await start();
    expect(triggered()).toEqual(docsOnly);
  });

  it("with another predicate have all triggered that it looks at", async () => {
    const { relay, start, triggered, world } = await running();
    await relay.stop();
    world.manifest = deployment({
      docs: { revision: "d2", relations: relations.docs },
      more: { revision: "m1", relations: [{ ...primary, predicate: "resourceVersion" }] },
    });
    await start();
    expect(triggered()).toEqual(EVERYTHING);
  });

  it("F1 with a narrower selector have what it excludes triggered, to be released", async () => {
    const { kubectl, relay, start, triggered, world } = await running();
    await kubectl().merge(`${DOCUMENTS}/a`, { metadata: { labels: { team: "x" } } });
    await relay.stop();
    const watch = { resource: documents, matchLabels: { team: "x" } };
    const narrower = relationOf({ watch, predicate: "generation" });
    world.manifest = deployment({ docs: { revision: "d2", relations: [narrower, owned()] } });
    await start();
    expect(triggered()).toEqual(docsOnly);
  });
});

describe("R7 a kind that cannot be watched", () => {
  it("does not cost a restart any run, and is told when it comes", async () => {
    const bench = await running();
    const { relay, start, triggered, world } = bench;
    await relay.stop();
    const things = { group: "late.test", version: "v1", kind: "Thing", plural: "things", scope: "Namespaced" } as const;
    const watch = { resource: things };
    world.manifest = deployment({
      docs: {
        revision: "d2",
        relations: [
          primary,
          owned(),
          named(".spec.secretName"),
          relationOf({ id: "things", watch, mapping: { by: "label", label: "doc" } }),
        ],
      },
      more: { revision: "m1", relations: [primary] },
    });
    const failing = await start();
    expect(triggered()).toEqual(docsOnly);
    await failing.stop();
    const next = await start();
    expect(triggered()).toEqual([]);
    expect(next.relay.status().reasons).toEqual([expect.stringContaining("watch of things.late.test: 404")]);
  });
});

describe("R7 a relay that was held up", () => {
  it("does not write over its successor's checkpoint", async () => {
    const { clock, kubectl, kv, relay, start, triggered } = await running();
    await clock.advance(10_000);
    const next = await start();
    await clock.advance(10_000);
    await kubectl().merge(`${DOCUMENTS}/b`, { spec: { title: "x" } });
    await next.stop();
    const index = await kv.get(INDEX);
    await relay.stop();
    expect(await kv.get(INDEX)).toBe(index);
    triggered();
    await start();
    expect(triggered()).toEqual([]);
  });
});

it("R6, R7 a restart in the middle of a first list loses no key of it", async () => {
  const bench = await restarts();
  for (const name of ["a", "b", "c"]) await bench.create(name);
  bench.world.manifest = { ...declared, apiVersion: API_VERSION };
  const stuck = bench.server.intercept(({ verb, plural }) =>
    ["list", "watch"].includes(verb) && plural === "configmaps"
      ? { tooManyRequests: { retryAfterSeconds: 300 } }
      : undefined,
  );
  const first = await bench.start();
  expect(bench.triggered()).toEqual(EVERYTHING);
  await first.stop();
  await bench.kubectl().create(CONFIG_MAPS, await bench.own("child", "a"));
  stuck();
  await bench.start();
  expect(bench.triggered()).toEqual(["resync docs/a"]);
});

it("R4, R6, R7 what a list was to bring, which a restart cut short, is still asked for", async () => {
  const { clock, kubectl, own, relay, server, start, triggered, world } = await running();
  await relay.stop();
  world.manifest = deployment({
    docs: { revision: "d1", relations: [primary, owned(), named(".spec.secretName")] },
    more: { revision: "m2", relations: [primary, owned()] },
  });
  const end = server.intercept(({ verb, plural }) =>
    ["list", "watch"].includes(verb) && plural === "configmaps"
      ? { tooManyRequests: { retryAfterSeconds: 300 } }
      : undefined,
  );
  await (await start()).stop();
  end();
  await start();
  triggered();
  const { ownerReferences } = (await own("child", "b")).metadata;
  await kubectl().merge(`${CONFIG_MAPS}/child`, { metadata: { ownerReferences } });
  await clock.settle();
  expect(triggered()).toEqual(["live docs/a", "live docs/b", "live more/a", "live more/b"]);
});
