import { beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../adapters/testing/virtual-clock.ts";
import { createReferences } from "../../infra/relay/map/references.ts";
import { planWatches } from "../../infra/relay/plan/plan.ts";
import { createStore, type Store } from "../../infra/relay/store/store.ts";
import { startWatcher, type Watcher } from "../../infra/relay/watch/watcher.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { documents, manifestOf, objectOf, relationOf } from "./support/objects.ts";
import { createScriptedApi, type Stream } from "./support/scripted-api.ts";

let clock: VirtualClock;
let api: ReturnType<typeof createScriptedApi>;
let store: Store;
let watcher: Watcher;
let told: string[];
let causes: string[];

beforeEach(() => {
  clock = createVirtualClock(0);
  api = createScriptedApi({ streams: true });
  told = [];
  causes = [];
  const [plan] = planWatches(manifestOf({ documents: [relationOf({ watch: { resource: documents } })] }));
  store = createStore(plan!, createReferences(), (_, { lane, cause }) => void causes.push(`${lane}: ${cause}`));
  watcher = startWatcher({
    store,
    transport: api,
    clock,
    logger: recordingLogger(),
    random: () => 0.5,
    onAttempted: () => void told.push("attempted"),
    onSynced: () => void told.push("synced"),
  });
});

const added = (name: string, resourceVersion: string) => ({
  type: "ADDED",
  object: objectOf({ name, resourceVersion }),
});
const modified = (name: string, version: string) => ({ ...added(name, version), type: "MODIFIED" });
const deleted = (name: string, version: string) => ({ ...added(name, version), type: "DELETED" });
const bookmark = (resourceVersion: string, annotations?: object) => ({
  type: "BOOKMARK",
  object: { metadata: { resourceVersion, annotations } },
});
const end = (version: string) => bookmark(version, { "k8s.io/initial-events-end": "true" });

async function opened(): Promise<Stream> {
  const stream = api.last().stream();
  await clock.settle();
  return stream;
}

async function listed(...events: { type: string; object: unknown }[]): Promise<Stream> {
  const stream = await opened();
  stream.send(...events, end("9"));
  await clock.settle();
  return stream;
}

const ids = () => [...new Map(store.entries())].map(([id, { version }]) => `${id} ${version}`).sort();

describe("R1 a streaming list", () => {
  it("asks for metadata and initial events, from no version on", () => {
    expect(Object.fromEntries(api.last().query)).toEqual({
      watch: "1",
      allowWatchBookmarks: "true",
      sendInitialEvents: "true",
      resourceVersionMatch: "NotOlderThan",
      timeoutSeconds: "270",
    });
    expect(api.last().accept).toBe("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json");
  });

  it("R2 is synced at the bookmark that ends it, and goes on as the watch", async () => {
    const stream = await opened();
    stream.send(added("a", "5"), added("b", "6"), bookmark("6"));
    await clock.settle();
    expect(told).toEqual([]);
    expect(watcher.status()).toMatchObject({ state: "InitialWatch", synced: false, objects: 2 });
    stream.send(end("9"), modified("a", "10"));
    await clock.settle();
    expect(told).toEqual(["synced", "attempted"]);
    expect(causes).toEqual([
      "resync: Document default/a listed",
      "resync: Document default/b listed",
      "live: Document default/a MODIFIED",
    ]);
    expect(watcher.status()).toMatchObject({ state: "Watching", synced: true, relists: 0, reconnects: 0 });
    expect(api.asked).toHaveLength(1);
  });

  it("has the changes that come before its end applied", async () => {
    await listed(added("a", "5"), added("b", "6"), modified("a", "7"), deleted("b", "8"), added("c", "9"));
    expect(ids()).toEqual(["default/a 7", "default/c 9"]);
  });

  it("of nothing is its end alone", async () => {
    await listed();
    expect(told).toEqual(["synced", "attempted"]);
    expect(watcher.status()).toMatchObject({ state: "Watching", objects: 0 });
  });

  it("takes a deletion of what is not known for a change", async () => {
    await listed(deleted("x", "8"));
    expect(causes).toEqual(["live: Document default/x DELETED"]);
    expect(store.size).toBe(0);
  });

  it("is not asked again when its stream ends: the watch is resumed from its end", async () => {
    const stream = await listed(added("a", "5"));
    await clock.advance(5_000);
    stream.end();
    await clock.settle();
    expect(Object.fromEntries(api.last().query)).toEqual({
      watch: "1",
      allowWatchBookmarks: "true",
      resourceVersion: "9",
      timeoutSeconds: "270",
    });
    expect(watcher.status()).toMatchObject({ reconnects: 1, reconnectsByCause: { closed: 1 } });
  });

  it("that replaces an expired version tells what changed and what vanished, nothing else", async () => {
    const stream = await listed(added("same", "5"), added("changed", "6"), added("vanished", "7"));
    causes.length = 0;
    stream.send({ type: "ERROR", object: { code: 410, message: "too old" } });
    await clock.settle();
    (await opened()).send(added("same", "5"), added("changed", "12"), end("12"));
    await clock.settle();
    expect(causes).toEqual(["resync: Document default/changed listed", "resync: Document default/vanished vanished"]);
    expect(watcher.status()).toMatchObject({ state: "Watching", relists: 1, relistsByCause: { expired: 1 } });
  });

  it("R2 that breaks off takes no key for gone, and begins anew", async () => {
    const stream = await listed(added("a", "5"), added("b", "6"));
    causes.length = 0;
    stream.send({ type: "ERROR", object: { code: 410, message: "too old" } });
    await clock.settle();
    const second = await opened();
    second.send(added("a", "5"));
    second.break();
    await clock.advance(1_600);
    expect(ids()).toEqual(["default/a 5", "default/b 6"]);
    expect(causes).toEqual([]);
    expect(api.last().query.get("sendInitialEvents")).toBe("true");
    expect(watcher.status()).toMatchObject({ relistsByCause: { expired: 1, unfinished: 1 } });
  });

  it("that brings nothing for 70 s is left for pages", async () => {
    const stream = await opened();
    stream.send(added("a", "5"));
    await clock.advance(69_999);
    expect(stream.cancelled).toBe(false);
    await clock.advance(1);
    expect(stream.cancelled).toBe(true);
    await clock.advance(800);
    expect(Object.fromEntries(api.last().query)).toEqual({ limit: "500" });
  });

  it("that has ended may be silent for as long as any watch", async () => {
    const stream = await listed(added("a", "5"));
    await clock.advance(179_999);
    expect(stream.cancelled).toBe(false);
    await clock.advance(1);
    expect(stream.cancelled).toBe(true);
    expect(watcher.status().error).toBeUndefined();
  });

  it("that is refused is asked for in pages at once, and never again as a stream", async () => {
    api.last().refuse(422, "sendInitialEvents is forbidden");
    await clock.settle();
    api.last().page([objectOf({ name: "a", resourceVersion: "5" })], { resourceVersion: "9" });
    await clock.settle();
    expect(told).toEqual(["synced", "attempted"]);
    expect(watcher.status()).toMatchObject({ relists: 0, reconnects: 0 });
    api.last().refuse(410, "too old");
    await clock.settle();
    expect(Object.fromEntries(api.last().query)).toEqual({ limit: "500" });
  });

  it("R14 of a server that went back in time is taken again, as it is", async () => {
    const stream = await listed(added("a", "5"));
    causes.length = 0;
    stream.send({ type: "ERROR", object: { code: 410, message: "too old" } });
    await clock.settle();
    (await opened()).send(added("a", "5"), end("6"));
    await clock.settle();
    expect(causes).toEqual([]);
    (await opened()).send(added("a", "5"), end("6"));
    await clock.settle();
    expect(causes).toEqual(["resync: Document default/a listed"]);
    expect(watcher.status()).toMatchObject({ state: "Watching", relistsByCause: { expired: 1, restored: 1 } });
  });
});

describe("R1 a line of the stream", () => {
  it("may hold an object of 3 MB, in chunks that end anywhere", async () => {
    const stream = await listed();
    const text = "ü".repeat(1_500_000);
    const large = { ...modified("large", "10"), object: objectOf({ name: "large", resourceVersion: "10" }, { text }) };
    const bytes = new TextEncoder().encode(`${JSON.stringify(large)}\n`);
    expect(bytes.length).toBeGreaterThan(3_000_000);
    // An odd length, so that chunks end within characters.
    for (let from = 0; from < bytes.length; from += 65_537) stream.bytes(bytes.slice(from, from + 65_537));
    await clock.settle();
    expect(causes).toEqual(["live: Document default/large MODIFIED"]);
  });

  it("that is longer than 16 M characters is an error, and no list is lost to it", async () => {
    const stream = await listed(added("a", "5"));
    const chunk = new Uint8Array(4 * 1024 * 1024 + 1).fill(32);
    for (let i = 0; i < 4; i++) stream.bytes(chunk);
    await clock.settle();
    expect(watcher.status()).toMatchObject({ objects: 1, error: expect.stringContaining("longer than") });
  });

  it("without a version is an error, and the watch is resumed before it", async () => {
    const stream = await listed(added("a", "5"));
    stream.send({ type: "MODIFIED", object: { metadata: { name: "a", uid: "u" } } });
    await clock.advance(800);
    expect(watcher.status().error).toContain("resourceVersion");
    // R14: whether the server is where it was is asked first.
    api.last().page([], { resourceVersion: "9" });
    await clock.settle();
    expect(api.last().query.get("resourceVersion")).toBe("9");
    expect(watcher.status()).toMatchObject({ reconnectsByCause: { error: 1 } });
  });

  it("that is a bookmark of an older version moves nothing back", async () => {
    const stream = await listed(added("a", "5"));
    stream.send(bookmark("3"));
    await clock.advance(5_000);
    stream.end();
    await clock.settle();
    expect(api.last().query.get("resourceVersion")).toBe("9");
  });
});
