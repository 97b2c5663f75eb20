import { beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../adapters/testing/virtual-clock.ts";
import type { Manifest } from "../../functions/contract/index.ts";
import { createReferences } from "../../infra/relay/map/references.ts";
import { planWatches } from "../../infra/relay/plan/plan.ts";
import { createStore, type Store } from "../../infra/relay/store/store.ts";
import { startWatcher, type Watcher } from "../../infra/relay/watch/watcher.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { configMaps, documents, manifestOf, objectOf, relationOf, secrets } from "./support/objects.ts";
import { createScriptedApi } from "./support/scripted-api.ts";

const metadataOnly = manifestOf({ documents: [relationOf({ watch: { resource: documents } })] });
const a = objectOf({ name: "a", resourceVersion: "7" });
const b = objectOf({ name: "b", resourceVersion: "8" });

let clock: VirtualClock;
let api: ReturnType<typeof createScriptedApi>;
let logger: ReturnType<typeof recordingLogger>;
let store: Store;
let watcher: Watcher;
let told: string[];
let causes: string[];

async function start(manifest: Manifest, position = 0): Promise<void> {
  const plan = planWatches(manifest)[position]!;
  store = createStore(plan, createReferences(), (_, { lane, cause }) => void causes.push(`${lane}: ${cause}`));
  watcher = startWatcher({
    store,
    transport: api,
    clock,
    logger,
    random: () => 0.5,
    onAttempted: () => void told.push("attempted"),
    onSynced: () => void told.push("synced"),
  });
  // The streaming list is refused.
  await clock.settle();
}

beforeEach(() => {
  clock = createVirtualClock(0);
  api = createScriptedApi();
  logger = recordingLogger();
  told = [];
  causes = [];
});

async function startWatching() {
  await start(metadataOnly);
  api.last().page([a], { resourceVersion: "7" });
  await clock.settle();
  const stream = api.last().stream();
  await clock.settle();
  return stream;
}

describe("R1 the requests", () => {
  it("are pages of 500 with only metadata, then a watch from there with bookmarks", async () => {
    await start(metadataOnly);
    expect(api.last().path).toBe("/apis/example.com/v1/documents");
    expect(Object.fromEntries(api.last().query)).toEqual({ limit: "500" });
    expect(api.last().accept).toBe("application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json");
    api.last().page([a], { resourceVersion: "7", continue: "p2" });
    await clock.settle();
    expect(Object.fromEntries(api.last().query)).toEqual({ limit: "500", continue: "p2" });
    api.last().page([b], { resourceVersion: "7" });
    await clock.settle();
    expect(Object.fromEntries(api.last().query)).toEqual({
      watch: "1",
      allowWatchBookmarks: "true",
      resourceVersion: "7",
      timeoutSeconds: "270",
    });
    expect(api.last().accept).toBe("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json");
    expect(store.size).toBe(2);
  });

  it("ask for whole objects only where a field outside the metadata is named", async () => {
    const named = (field: string) =>
      manifestOf({
        documents: [
          relationOf({ watch: { resource: documents } }),
          relationOf({ id: "watches/Secret", watch: { resource: secrets }, mapping: { by: "namedBy", field } }),
        ],
      });
    await start(named(".spec.secretName"));
    expect(api.last().accept).toBe("application/json");
    await start(named(".spec.secretName"), 1);
    expect(api.last().accept).toContain("as=PartialObjectMetadataList");
    await start(named(".metadata.annotations.secret"));
    expect(api.last().accept).toContain("as=PartialObjectMetadataList");
  });

  it("carry the namespace and the labels of the watch", async () => {
    const watch = { resource: configMaps, namespaces: ["x"], matchLabels: { b: "2", a: "1" } };
    await start(manifestOf({ c: [relationOf({ watch })] }));
    expect(api.last().path).toBe("/api/v1/namespaces/x/configmaps");
    expect(api.last().query.get("labelSelector")).toBe("a=1,b=2");
  });
});

describe("R2 a list that is not whole", () => {
  it.each([
    ["without items", { metadata: { resourceVersion: "9" } }],
    ["without a version", { metadata: {}, items: [] }],
    ["of something without a uid", { metadata: { resourceVersion: "9" }, items: [{ metadata: { name: "a" } }] }],
    ["that is null", null],
  ])("%s is an error, and nothing has vanished", async (_, body) => {
    const stream = await startWatching();
    stream.send({ type: "ERROR", object: { code: 410, message: "too old" } });
    await clock.settle();
    expect(api.last().query.get("limit")).toBe("500");
    api.last().answer(Response.json(body));
    await clock.settle();
    expect(store.size).toBe(1);
    expect(watcher.status()).toMatchObject({ state: "Empty", error: expect.any(String) });
  });

  it("for its bytes ended early is asked for again", async () => {
    await start(metadataOnly);
    api.last().answer(new Response('{"metadata":{"resourceVersion":"9"},"items":['));
    await clock.settle();
    expect(told).toEqual(["attempted"]);
    await clock.advance(800);
    expect(api.asked).toHaveLength(2);
  });

  it("is not synced before its last page", async () => {
    await start(metadataOnly);
    api.last().page([a], { resourceVersion: "7", continue: "p2" });
    await clock.settle();
    expect(told).toEqual([]);
    api.last().page([], { resourceVersion: "7" });
    await clock.settle();
    expect(told).toEqual(["synced", "attempted"]);
  });

  it("a 404 takes no key for gone, and is shown", async () => {
    const stream = await startWatching();
    stream.send({ type: "ERROR", object: { code: 410 } });
    await clock.settle();
    api.last().refuse(404, "the server could not find the requested resource");
    await clock.settle();
    expect(store.size).toBe(1);
    expect(causes).toEqual(["resync: Document default/a listed"]);
    expect(watcher.status().error).toContain("404");
    await clock.advance(1_600);
    api.last().page([a], { resourceVersion: "9" });
    await clock.settle();
    expect(watcher.status()).toMatchObject({ state: "InitListed", relists: 2, error: expect.any(String) });
    api.last().stream();
    await clock.settle();
    expect(watcher.status()).toMatchObject({ state: "Watching" });
    expect(watcher.status().error).toBeUndefined();
  });
});

describe("R1 the stream", () => {
  it("brings events, however its bytes are cut", async () => {
    const stream = await startWatching();
    const bytes = new TextEncoder().encode(
      `${JSON.stringify({ type: "ADDED", object: objectOf({ name: "ü", resourceVersion: "9" }) })}\n`,
    );
    for (const byte of bytes) stream.bytes(Uint8Array.of(byte));
    await clock.settle();
    expect(causes.at(-1)).toBe("live: Document default/ü ADDED");
  });

  it("that ends or breaks is resumed from the last version seen, without a list", async () => {
    for (const end of ["end", "break"] as const) {
      api.asked.length = 0;
      const stream = await startWatching();
      stream.send({ type: "BOOKMARK", object: { metadata: { resourceVersion: "12" } } });
      await clock.advance(5_000);
      stream[end]();
      await clock.settle();
      expect(api.last().query.get("resourceVersion")).toBe("12");
      watcher.stop();
    }
  });

  it("that opens and closes at once is not opened again at once", async () => {
    const stream = await startWatching();
    stream.end();
    await clock.settle();
    const asked = api.asked.length;
    await clock.advance(799);
    expect(api.asked).toHaveLength(asked);
    await clock.advance(1);
    expect(api.asked).toHaveLength(asked + 1);
  });

  it("without a byte for 180 s is left, and R14 the server's version asked", async () => {
    const stream = await startWatching();
    await clock.advance(50_000);
    stream.send({ type: "BOOKMARK", object: { metadata: { resourceVersion: "12" } } });
    await clock.advance(179_999);
    expect(stream.cancelled).toBe(false);
    expect(watcher.status().lastEventAgeMs).toBe(179_999);
    await clock.advance(1);
    expect(stream.cancelled).toBe(true);
    expect(Object.fromEntries(api.last().query)).toEqual({ limit: "1" });
    api.last().page([a], { resourceVersion: "12" });
    await clock.settle();
    expect(api.last().query.get("resourceVersion")).toBe("12");
  });

  it("is left 10 s past the time that it was asked for, though bytes still come", async () => {
    const stream = await startWatching();
    for (let second = 0; second < 279; second += 93) {
      await clock.advance(93_000);
      stream.send({ type: "BOOKMARK", object: { metadata: { resourceVersion: "12" } } });
    }
    await clock.advance(1_000);
    expect(stream.cancelled).toBe(true);
    expect(api.last().query.get("resourceVersion")).toBe("12");
  });

  it.each([
    ["no JSON", "{"],
    ["an unknown type", '{"type":"MOVED","object":{}}'],
    ["an object without a version", '{"type":"ADDED","object":{"metadata":{"name":"a","uid":"u"}}}'],
    ["a bookmark without a version", '{"type":"BOOKMARK","object":{}}'],
  ])("with %s is resumed, and listed anew if that is all it brings", async (_, line) => {
    const stream = await startWatching();
    stream.bytes(new TextEncoder().encode(`${line}\n`));
    await clock.advance(800);
    api.last().page([], { resourceVersion: "7" });
    await clock.settle();
    api
      .last()
      .stream()
      .bytes(new TextEncoder().encode(`${line}\n`));
    await clock.advance(1_600);
    expect(api.last().query.get("limit")).toBe("500");
  });

  it("is nobody's any more after a stop", async () => {
    const stream = await startWatching();
    watcher.stop();
    await clock.advance(600_000);
    expect(stream.cancelled).toBe(true);
    expect(api.asked).toHaveLength(2);
  });
});

describe("R1 a list", () => {
  it("that is not answered within 70 s is asked for again", async () => {
    await start(metadataOnly);
    await clock.advance(70_800);
    expect(api.asked).toHaveLength(2);
    expect(api.asked[0]!.signal.aborted).toBe(true);
  });

  it("waits as long as Retry-After says", async () => {
    await start(metadataOnly);
    api.last().refuse(429, "too many requests", { "retry-after": "7" });
    await clock.advance(6_999);
    expect(api.asked).toHaveLength(1);
    await clock.advance(1);
    expect(api.asked).toHaveLength(2);
  });

  it("that fails is logged once for the same error, and when a stream is open again", async () => {
    await start(metadataOnly);
    for (const wait of [800, 1_600, 3_200]) {
      api.last().break();
      await clock.advance(wait);
    }
    api.last().page([], { resourceVersion: "7" });
    await clock.settle();
    api.last().refuse(403, "cannot watch");
    await clock.advance(6_400);
    api.last().page([], { resourceVersion: "7" });
    await clock.settle();
    api.last().refuse(403, "cannot watch");
    await clock.advance(12_800);
    api.last().page([], { resourceVersion: "7" });
    await clock.settle();
    api.last().stream();
    await clock.settle();
    expect(logger.lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
      "info the server takes no streaming list, listing in pages",
      "warn watch in trouble",
      "warn watch in trouble",
      "info watch recovered",
    ]);
    expect(logger.lines[1]!.fields).toMatchObject({ resource: "documents.example.com", error: "fetch failed" });
  });
});
