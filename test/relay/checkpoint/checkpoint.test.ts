import { describe, expect, it } from "vitest";
import { problemOf } from "../../../functions/contract/index.ts";
import { RENEW_MS } from "../../../infra/relay/checkpoint/checkpoint.ts";
import { kept } from "./kept.ts";
import { recordOf, sorted, stateWith } from "./states.ts";

const refused = (status: number, code: string) => Response.json(problemOf(code, code), { status });
const changed = (by: string) => stateWith(2_000, (i) => (i === 7 ? { version: by } : {}));

describe("R7 a checkpoint", () => {
  it("is loaded as it was saved, by another relay", async () => {
    const { relay } = kept();
    const state = { ...stateWith(2_000), epoch: "e1" };
    expect(await relay().save(state)).toBe(true);
    const loaded = await relay().load();
    expect(loaded).toMatchObject({ epoch: "e1", declared: state.declared });
    expect(sorted(loaded!)).toEqual(sorted(state));
  });

  it.each([
    [2_000, 4],
    [10_000, 32],
  ])(
    "of %i objects, of which one changed, costs 2 requests; the first one as many as there are parts",
    async (count, parts) => {
      const { operations, relay, take } = kept();
      const checkpoint = relay();
      await checkpoint.save(stateWith(count));
      const first = take();
      expect(first.filter((each) => each === "PUT part").length).toBe(parts);
      expect(first.at(-1)).toBe("PUT index");
      const before = { ...operations };
      await checkpoint.save(stateWith(count, (i) => (i === 7 ? { version: "2" } : {})));
      expect(take()).toEqual(["PUT part", "PUT index"]);
      expect(operations).toEqual({ get: before.get + 1, set: before.set + 2, delete: 0 });
      await checkpoint.save(stateWith(count, (i) => (i === 7 ? { version: "3" } : {})));
      expect(operations, "and the part that two indexes ago was needed").toEqual({
        ...{ get: before.get + 2, set: before.set + 4, delete: 1 },
      });
    },
  );

  it("of which nothing changed costs nothing, also after a restart", async () => {
    const { relay, take } = kept();
    const checkpoint = relay();
    await checkpoint.save(stateWith(2_000));
    take();
    expect(await checkpoint.save(stateWith(2_000))).toBe(true);
    expect(take()).toEqual([]);
    const next = relay();
    await next.load();
    expect(take()).toHaveLength(5);
    expect(await next.save(stateWith(2_000))).toBe(true);
    expect(take()).toEqual([]);
  });

  it("of which a cursor moved costs one request", async () => {
    const { relay, take } = kept();
    const checkpoint = relay();
    const state = stateWith(2_000);
    await checkpoint.save(state);
    take();
    await checkpoint.save({ ...state, watches: state.watches.map((watch) => ({ ...watch, cursor: "6" })) });
    expect(take()).toEqual(["PUT index"]);
  });

  it("keeps no part for ever that nobody needs", async () => {
    const { relay, stored } = kept();
    const checkpoint = relay();
    for (let i = 0; i < 20; i++) await checkpoint.save(changed(String(i)));
    expect((await stored()).length).toBeLessThanOrEqual(4 + 1 + 1);
  });

  it("puts its parts again before they end", async () => {
    const { clock, operations, relay } = kept();
    const checkpoint = relay();
    await checkpoint.save(stateWith(2_000));
    await clock.advance(RENEW_MS - 1);
    expect(checkpoint.isDue()).toBe(false);
    await clock.advance(1);
    expect(checkpoint.isDue()).toBe(true);
    const { set } = operations;
    await checkpoint.save(stateWith(2_000));
    expect(operations.set).toBe(set + 5);
    await clock.advance(2 * RENEW_MS - 1);
    expect((await relay().load())?.watches).toHaveLength(1);
  });
});

describe("R7 without a checkpoint that can be used, everything is triggered:", () => {
  it("the first time", async () => {
    const { messages, relay } = kept();
    expect(await relay().load()).toBeUndefined();
    expect(messages()).toContain("there is no checkpoint, everything is triggered");
  });

  it.each([
    ["a part is missing", (_: string) => refused(404, "not-stored")],
    ["a part is another one", (_: string) => new Response("{}")],
  ])("where %s; the next save mends it", async (_, answer) => {
    const bench = kept();
    await bench.relay().save(stateWith(2_000));
    let name = "";
    bench.instead = (method, part) => {
      if (method === "PUT" || part === "index") return undefined;
      name ||= part;
      return part === name ? answer(part) : undefined;
    };
    const checkpoint = bench.relay();
    expect(await checkpoint.load()).toBeUndefined();
    expect(bench.logger.lines).toContainEqual(
      expect.objectContaining({ fields: expect.objectContaining({ missing: 1, of: 4 }) }),
    );
    bench.instead = undefined;
    expect(await checkpoint.save(stateWith(2_000))).toBe(true);
    expect(await bench.relay().load()).toBeDefined();
  });

  it.each([
    ["of another format", (text: string) => text.replace('"format":2', '"format":0')],
    ["that is none", () => "[]"],
    ["that is no JSON", () => "{"],
  ])("where there is an index %s; the next save replaces it", async (_, broken) => {
    const { memory, relay } = kept();
    await relay().save(stateWith(3));
    const text = (await memory.get("checkpoint:home/index"))!;
    await memory.set("checkpoint:home/index", broken(text), { expireInMs: 1e9 });
    const checkpoint = relay();
    expect(await checkpoint.load()).toBeUndefined();
    expect(await checkpoint.save(stateWith(4))).toBe(true);
    expect([...(await relay().load())!.watches[0]!.records]).toHaveLength(4);
  });

  it("where the functions have no such route, which is said once", async () => {
    const bench = kept();
    bench.instead = () => refused(404, "not-found");
    const checkpoint = bench.relay();
    expect(await checkpoint.load()).toBeUndefined();
    expect(await checkpoint.save(stateWith(3))).toBe(false);
    expect(await checkpoint.save(stateWith(3))).toBe(false);
    expect(bench.messages()).toEqual(["the functions keep no checkpoints: a restart triggers everything"]);
  });
});

describe("R7 a store that is away", () => {
  it("is asked again until it answers, no sooner than it says", async () => {
    const bench = kept();
    await bench.relay().save(stateWith(3));
    bench.broken = true;
    const loading = bench.relay().load();
    await bench.clock.advance(4_999);
    bench.broken = false;
    bench.take();
    await bench.clock.advance(1);
    expect(await loading).toBeDefined();
    expect(bench.take()[0]).toBe("GET index");
  });

  it("fails a save, which the next one makes up for", async () => {
    const bench = kept();
    const checkpoint = bench.relay();
    bench.broken = true;
    expect(await checkpoint.save(stateWith(3))).toBe(false);
    expect(bench.logger.lines).toContainEqual(expect.objectContaining({ message: "checkpoint failed, trying again" }));
    bench.broken = false;
    expect(await checkpoint.save(stateWith(3))).toBe(true);
    expect(await bench.relay().load()).toBeDefined();
  });

  it("that lost the index gets all parts again", async () => {
    const { memory, relay, stored } = kept();
    const checkpoint = relay();
    await checkpoint.save(stateWith(2_000));
    for (const key of await stored()) await memory.delete(key);
    expect(await checkpoint.save(changed("2"))).toBe(true);
    expect(await relay().load()).toBeDefined();
  });

  it("is not waited for by a relay that stops", async () => {
    const bench = kept();
    bench.broken = true;
    const checkpoint = bench.relay();
    const loading = checkpoint.load();
    await bench.clock.settle();
    checkpoint.stop();
    expect(await loading).toBeUndefined();
    expect(bench.clock.timers).toBe(0);
  });

  it("that answers as something else would is not believed", async () => {
    const bench = kept();
    bench.instead = (method) => (method === "PUT" ? new Response("<html>", { status: 200 }) : undefined);
    expect(await bench.relay().save(stateWith(3))).toBe(false);
  });
});

describe("R7 of several relays", () => {
  it("the one that loaded last is right, and the one before it stops", async () => {
    const { messages, relay } = kept();
    const [old, next] = [relay(), relay()];
    await old.save(changed("1"));
    await next.load();
    expect(await next.save(changed("2"))).toBe(true);
    expect(await old.save(changed("3"))).toBe(false);
    expect(await old.save(changed("4"))).toBe(false);
    expect(messages().filter((message) => message.startsWith("another relay saves"))).toHaveLength(1);
    const records = new Map((await relay().load())!.watches[0]!.records);
    expect(records.get("default/document-7")).toEqual(recordOf({ version: "2" }));
  });

  it("what it knew before it loaded is not saved over what it found", async () => {
    const { relay } = kept();
    const [old, next] = [relay(), relay()];
    await old.save(changed("1"));
    const loading = next.load();
    const saving = next.save(changed("2"));
    expect(await loading).toBeDefined();
    expect(await saving).toBe(false);
    expect(await next.save(changed("3"))).toBe(true);
  });

  it("it writes over what the one before wrote while it started", async () => {
    const { relay } = kept();
    const [old, next] = [relay(), relay()];
    await old.save(changed("1"));
    await next.load();
    expect(await old.save(changed("2"))).toBe(true);
    expect(await next.save(changed("3"))).toBe(true);
    expect(await old.save(changed("4"))).toBe(false);
  });

  it("one whose successor saves no more goes on, when it found the same index three times", async () => {
    const { relay } = kept();
    const [old, next] = [relay(), relay()];
    await old.save(changed("1"));
    await next.load();
    await next.save(changed("2"));
    expect(await old.save(changed("3"))).toBe(false);
    await next.save(changed("4"));
    const saves = [await old.save(changed("5")), await old.save(changed("6")), await old.save(changed("7"))];
    expect(saves).toEqual([false, false, true]);
    expect(await old.save(changed("8"))).toBe(true);
  });

  it("a save whose answer was lost is its own", async () => {
    const bench = kept();
    const checkpoint = bench.relay();
    await checkpoint.save(changed("1"));
    const { memory } = bench;
    const lost = (await memory.get("checkpoint:home/index"))!;
    const other = bench.relay();
    await other.load();
    expect(await checkpoint.save(changed("2"))).toBe(true);
    // As a store that is read elsewhere may still show it, for a minute.
    await memory.set("checkpoint:home/index", lost, { expireInMs: 1e9 });
    expect(await checkpoint.save(changed("3"))).toBe(true);
  });

  it("saves of one follow one another", async () => {
    const { relay, take } = kept();
    const checkpoint = relay();
    expect(await Promise.all([checkpoint.save(changed("1")), checkpoint.save(changed("2"))])).toEqual([true, true]);
    expect(take().filter((each) => each === "PUT index")).toHaveLength(2);
    const records = new Map((await relay().load())!.watches[0]!.records);
    expect(records.get("default/document-7")).toEqual(recordOf({ version: "2" }));
  });
});
