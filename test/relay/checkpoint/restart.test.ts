import { describe, expect, it } from "vitest";
import { CONFIG_MAPS, DOCUMENTS, running, SECRETS } from "./restarts.ts";

type Running = Awaited<ReturnType<typeof running>>;

describe("R7 a restart with nothing changed", () => {
  it("by SIGTERM triggers nothing, and lists nothing: it asks for the version (R14) and goes on", async () => {
    const { relay, start, triggered } = await running();
    await relay.stop();
    const { requests, relay: next } = await start();
    expect(triggered()).toEqual([]);
    const kinds = ["configmaps", "documents", "secrets"];
    expect(requests()).toEqual([
      "identify",
      ...kinds.map((kind) => `probe ${kind}`),
      ...kinds.map((kind) => `watch ${kind}`),
    ]);
    expect(next.status()).toMatchObject({ ready: true, outbox: { pending: 0 } });
    await next.synced;
  });

  it("writes nothing to the store, again and again", async () => {
    const { asked, relay, start } = await running();
    await relay.stop();
    asked.length = 0;
    for (let i = 0; i < 3; i++) await (await start()).stop();
    expect(asked.filter((each) => each.startsWith("PUT"))).toEqual([]);
  });

  it("R5 keeps the old state: what happens then is compared with it", async () => {
    const { clock, kubectl, relay, start, triggered } = await running();
    await relay.stop();
    await start();
    await kubectl().merge(`${DOCUMENTS}/a`, { metadata: { labels: { x: "1" } } });
    await clock.settle();
    expect(triggered(), "not the generation's").toEqual([]);
    await kubectl().delete(`${CONFIG_MAPS}/child`);
    await kubectl().merge(`${SECRETS}/token`, { data: { a: "YQ==" } });
    await clock.settle();
    expect(triggered()).toEqual(["live docs/a", "live docs/b"]);
  });

  it("where its cursors are gone lists, and triggers nothing", async () => {
    const { expire, relay, start, triggered } = await running();
    await relay.stop();
    await expire();
    const { requests } = await start();
    expect(requests().filter((request) => request.startsWith("list"))).toHaveLength(3);
    expect(triggered()).toEqual([]);
  });
});

describe("R7 what happened while the relay was down is triggered, and nothing else:", () => {
  const rows: [what: string, change: (bench: Running) => Promise<unknown>, triggered: string[]][] = [
    ["a Document appeared", ({ create }) => create("d"), ["docs/d", "more/d"]],
    ["one changed", ({ kubectl }) => kubectl().merge(`${DOCUMENTS}/c`, { spec: { title: "x" } }), ["docs/c", "more/c"]],
    ["one vanished", ({ kubectl }) => kubectl().delete(`${DOCUMENTS}/c`), ["docs/c", "more/c"]],
    [
      "one was made anew under its name",
      async ({ create, kubectl }) => {
        await kubectl().delete(`${DOCUMENTS}/c`);
        await create("c");
      },
      ["docs/c", "more/c"],
    ],
    ["a child appeared", async ({ kubectl, own }) => kubectl().create(CONFIG_MAPS, await own("new", "c")), ["docs/c"]],
    ["a child changed", ({ kubectl }) => kubectl().merge(`${CONFIG_MAPS}/child`, { data: { a: "1" } }), ["docs/a"]],
    ["a child vanished", ({ kubectl }) => kubectl().delete(`${CONFIG_MAPS}/child`), ["docs/a"]],
    [
      "R4 a child got another owner",
      async ({ kubectl, own }) => {
        const { ownerReferences } = (await own("child", "b")).metadata;
        await kubectl().merge(`${CONFIG_MAPS}/child`, { metadata: { ownerReferences } });
      },
      ["docs/a", "docs/b"],
    ],
    [
      "a ConfigMap of nobody's changed",
      ({ kubectl }) => kubectl().merge(`${CONFIG_MAPS}/nobodys`, { data: { a: "1" } }),
      [],
    ],
    [
      "a named Secret changed",
      ({ kubectl }) => kubectl().merge(`${SECRETS}/token`, { data: { a: "YQ==" } }),
      ["docs/b"],
    ],
    ["a named Secret vanished", ({ kubectl }) => kubectl().delete(`${SECRETS}/token`), ["docs/b"]],
    ["a Secret changed that nobody names", ({ kubectl }) => kubectl().merge(`${SECRETS}/other`, { data: {} }), []],
    [
      "a Secret vanished that a Document names since",
      async ({ kubectl }) => {
        await kubectl().merge(`${DOCUMENTS}/c`, { spec: { secretName: "other" } });
        await kubectl().delete(`${SECRETS}/other`);
      },
      ["docs/c", "more/c"],
    ],
  ];

  describe.each([
    ["goes on from its cursors", "live", async (_: Running) => {}],
    ["lists, since they are gone", "resync", ({ expire }: Running) => expire()],
  ])("it %s", (_, lane, meanwhile) => {
    it.each(rows)("%s", async (_, change, keys) => {
      const bench = await running();
      await bench.relay.stop();
      await change(bench);
      await meanwhile(bench);
      await bench.start();
      expect(bench.triggered()).toEqual(keys.map((key) => `${lane} ${key}`));
    });
  });
});

describe("R7 kill -9", () => {
  it("runs again only what changed since the last checkpoint", async () => {
    const { clock, kubectl, relay, start, triggered } = await running();
    await clock.advance(10_000);
    await kubectl().merge(`${DOCUMENTS}/b`, { spec: { title: "x" } });
    await clock.settle();
    expect(triggered()).toEqual(["live docs/b", "live more/b"]);
    await relay.kill();
    await start();
    expect(triggered()).toEqual(["live docs/b", "live more/b"]);
  });

  it("before the first checkpoint triggers everything", async () => {
    const { relay, start, triggered } = await running();
    await relay.kill();
    await start();
    expect(triggered()).toHaveLength(6);
  });

  it("keys that were pending at the last checkpoint and were delivered since are not run again", async () => {
    const { clock, relay, start, triggered, world, kubectl } = await running();
    await clock.advance(9_000);
    world.refusing = true;
    await kubectl().merge(`${DOCUMENTS}/b`, { spec: { title: "x" } });
    await clock.advance(2_000);
    world.refusing = false;
    await clock.advance(30_000);
    expect(triggered()).toEqual(["live docs/b", "live more/b"]);
    await clock.advance(300_000);
    await relay.kill();
    await start();
    expect(triggered()).toEqual([]);
  });
});

describe("R5, R7 what was not accepted yet", () => {
  it("is delivered after the restart, in its lane", async () => {
    const { clock, kubectl, relay, start, triggered, world } = await running();
    world.refusing = true;
    await kubectl().merge(`${DOCUMENTS}/b`, { spec: { title: "x" } });
    await clock.settle();
    await relay.stop();
    expect(triggered()).toEqual([]);
    world.refusing = false;
    const { relay: next } = await start();
    expect(triggered()).toEqual(["live docs/b", "live more/b"]);
    expect(next.status().outbox.pending).toBe(0);
  });

  it("is saved with what is under way, whose answer never comes", async () => {
    const { clock, kubectl, relay, start, triggered, world } = await running();
    world.instead = (_, path) => (path === "/triggers" ? new Promise(() => {}) : undefined);
    await kubectl().merge(`${DOCUMENTS}/b`, { spec: { title: "x" } });
    await clock.settle();
    await kubectl().merge(`${DOCUMENTS}/c`, { spec: { title: "x" } });
    await clock.settle();
    await relay.stop();
    world.instead = undefined;
    await start();
    expect(triggered()).toEqual(["live docs/b", "live docs/c", "live more/b", "live more/c"]);
  });
});
