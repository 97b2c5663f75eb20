import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { configMaps } from "../../relay/support/objects.ts";
import { newNamespace, sharedCluster } from "../support/cluster.ts";
import { brokenWithin, slowly, stopped } from "./bytes.ts";
import type { FaultProxy } from "./fault-proxy.ts";
import { FaultyRelay } from "./faulty-relay.ts";

const { api, ...access } = sharedCluster();
const LIST = /sendInitialEvents/;
const RESUME = /watch=1.*&resourceVersion=\d/;
const PAGE = /limit=500/;
let namespace: string;
let rig: FaultyRelay;

beforeEach(async () => {
  namespace = await newNamespace(api);
});
afterEach(() => rig.stop());

const path = (name = "") => `/api/v1/namespaces/${namespace}/configmaps${name === "" ? "" : `/${name}`}`;
const create = (name: string) => api.create(path(), { metadata: { name } });
const change = (name: string) => api.patch(path(name), { data: { at: String(performance.now()) } });
const createAll = async (names: readonly string[]) => void (await Promise.all(names.map(create)));

async function start(before?: (proxy: FaultProxy) => void): Promise<void> {
  rig = await FaultyRelay.start({ access, api, namespace, resources: [configMaps], ...(before && { before }) });
}

/** A relay that is in order, with a, b and c. */
async function started(): Promise<void> {
  await createAll(["a", "b", "c"]);
  await start();
  await rig.recovered();
}

/** As an older server does, the real one refuses what is left of the request. */
const withoutStreams = (proxy: FaultProxy) =>
  proxy.lay({ on: LIST, times: 1_000, ask: (asked) => asked.replace("sendInitialEvents=true&", "") });

describe("R1 a watch", () => {
  test("whose bytes stop is left after the idle limit, and what it withheld is told without a list", async () => {
    const hole = stopped(/MODIFIED/);
    await createAll(["a", "b"]);
    await start((proxy) => proxy.lay({ on: LIST, bytes: hole.bytes }));
    await rig.recovered();
    await change("a");
    await hole.reached;
    await api.delete(path("b"));
    expect(rig.watch("configmaps")).toMatchObject({ state: "Watching", reconnects: 0 });
    rig.clock.leap(181_000);
    await rig.recovered();
    expect(rig.relists("configmaps")).toEqual({});
    expect(rig.reconnects("configmaps")).toEqual({ silent: 1 });
    // R14: the silence might have been that of a server which went back in time.
    expect(rig.proxy.requests.filter((asked) => asked.includes("limit=1"))).toHaveLength(1);
    hole.release();
  });

  test("that breaks within a line is resumed before that line", async () => {
    await createAll(["a", "b"]);
    await start((proxy) => proxy.lay({ on: LIST, bytes: brokenWithin(/MODIFIED/) }));
    await rig.recovered();
    const broken = rig.proxy.lay({ on: RESUME, bytes: brokenWithin(/DELETED/) });
    await change("a");
    await rig.hurried("it is resumed", () => broken.met === 1);
    await rig.recovered();
    await api.delete(path("b"));
    await rig.recovered();
    expect(rig.relists("configmaps")).toEqual({});
    expect(rig.reconnects("configmaps")).toEqual({ closed: 2 });
  });

  test("whose bytes come one by one brings all of them", async () => {
    await createAll(["a", "b", "c"]);
    await start((proxy) => proxy.lay({ on: LIST, bytes: slowly(1) }));
    await rig.recovered();
    await change("a");
    await api.delete(path("b"));
    await rig.recovered();
    expect(rig.watch("configmaps")).toMatchObject({ relists: 0, reconnects: 0 });
  });

  test("that opens and closes at once is not opened more often than its backoff allows", async () => {
    await started();
    const empty = rig.proxy.lay({ on: RESUME, times: 4, answer: { status: 200 } });
    rig.proxy.cut();
    await change("a");
    const from = rig.clock.monotonic();
    await rig.hurried("four of them came", () => empty.met === 4);
    // 0.8, 1.6 and 3.2 s, less a quarter of jitter.
    expect(rig.clock.monotonic() - from).toBeGreaterThan(5_600 * 0.75);
    await rig.recovered();
    expect(rig.relists("configmaps")).toEqual({});
  });

  test("that an error event ends is resumed, and one of 410 lists once", async () => {
    await started();
    const event = (code: number) => ({ type: "ERROR", object: { kind: "Status", code, message: `a ${code}` } });
    const failure = rig.proxy.lay({ on: RESUME, answer: { status: 200, body: event(500) } });
    rig.proxy.cut();
    await change("b");
    await rig.hurried("the error came", () => failure.met === 1);
    await rig.recovered();
    expect(rig.relists("configmaps")).toEqual({});
    const expired = rig.proxy.lay({ on: RESUME, answer: { status: 200, body: event(410) } });
    rig.proxy.cut();
    await api.delete(path("a"));
    await rig.hurried("the 410 came", () => expired.met === 1);
    await rig.recovered();
    expect(rig.relists("configmaps")).toEqual({ expired: 1 });
  });
});

describe("R2 a list", () => {
  test("that breaks off is never taken for the whole", async () => {
    await started();
    const before = new Map(rig.functions.runs);
    rig.proxy.lay({ on: RESUME, answer: { status: 410, body: { kind: "Status", apiVersion: "v1", code: 410 } } });
    const broken = rig.proxy.lay({ on: LIST, bytes: brokenWithin(/ADDED/) });
    rig.proxy.cut();
    await rig.hurried("the list broke", () => broken.met === 1 && rig.relists("configmaps").unfinished === 1);
    await rig.recovered();
    expect(rig.relists("configmaps")).toEqual({ expired: 1, unfinished: 1 });
    expect(rig.functions.ranSince(before)).toEqual([]);
  });

  test("in pages, whose bytes come slowly and whose pages break off, is whole in the end", async () => {
    await createAll(["a", "b", "c", "d", "e"]);
    await start((proxy) => {
      withoutStreams(proxy);
      proxy.lay({
        on: /limit=500$/,
        times: 1_000,
        ask: (asked) => asked.replace("limit=500", "limit=2"),
        bytes: slowly(3),
      });
      proxy.lay({ on: /continue=/, bytes: brokenWithin(/items/) });
      const shorter = (asked: string) => asked.replace("limit=500", "limit=2");
      proxy.lay({ on: /continue=/, times: 1_000, ask: shorter, bytes: slowly(100) });
    });
    await rig.recovered();
    await change("e");
    await rig.recovered();
    expect(rig.relists("configmaps")).toEqual({});
    expect(rig.proxy.requests.filter((asked) => PAGE.test(asked)).length).toBeGreaterThan(3);
  });

  test("in pages, whose continue token has expired, begins anew", async () => {
    await createAll(["a", "b", "c"]);
    await start((proxy) => {
      withoutStreams(proxy);
      proxy.lay({ on: /limit=500$/, ask: (asked) => asked.replace("limit=500", "limit=2") });
      proxy.lay({ on: /continue=/, answer: { status: 410, body: { kind: "Status", apiVersion: "v1", code: 410 } } });
    });
    await rig.recovered();
    expect(rig.relists("configmaps")).toEqual({ expired: 1 });
  });
});

describe("R1 a storm of 429", () => {
  const storm = { status: 429, headers: { "retry-after": "7" }, body: { kind: "Status", apiVersion: "v1", code: 429 } };

  test("is waited out as it asks, in the first list and in a watch", async () => {
    await createAll(["a", "b"]);
    await start((proxy) => proxy.lay({ on: LIST, times: 3, answer: storm }));
    const from = rig.clock.monotonic();
    await rig.recovered();
    expect(rig.clock.monotonic() - from).toBeGreaterThan(21_000);
    expect(rig.proxy.requests.filter((asked) => LIST.test(asked))).toHaveLength(4);
    const again = rig.clock.monotonic();
    const met = rig.proxy.lay({ on: RESUME, times: 3, answer: storm });
    rig.proxy.cut();
    await change("a");
    await rig.hurried("three of them came", () => met.met === 3);
    await rig.recovered();
    expect(rig.clock.monotonic() - again).toBeGreaterThan(21_000);
    expect(rig.relists("configmaps")).toEqual({ unfinished: 3 });
    expect(rig.watch("configmaps").reconnects).toBeLessThanOrEqual(4);
  });
});
