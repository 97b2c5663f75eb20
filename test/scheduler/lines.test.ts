import { expect, test } from "vitest";
import type { ReconcileRequest } from "../../functions/contract/index.ts";
import { failure, names, Shard, success } from "../support/shard.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const many = (prefix: string, count: number) => numbers(count).map((i) => `${prefix}${i}`);
const clustersOf = (runs: readonly ReconcileRequest[]) => runs.map(({ key }) => key.cluster);

test.each([
  ["another cluster", { clusters: ["home", "away"] }, { cluster: "away" }],
  ["another controller", { controllers: ["documents", "shelves"] }, { controller: "shelves" }],
])("S8 a refusal pauses its line, and nothing of %s", (_, declared, fields) => {
  const shard = new Shard({}, declared);
  shard.refuse(shard.trigger("a")[0]!, { retryAfterMs: 60_000 });
  expect(shard.trigger("b")).toEqual([]);
  expect(names(shard.trigger("other", fields))).toEqual(["other"]);
});

test("S8 the probe of a line says nothing of another one that pauses", () => {
  const shard = new Shard({}, { clusters: ["home", "away"] });
  for (const cluster of ["home", "away"]) shard.refuse(shard.trigger("a", { cluster })[0]!);
  const probes = shard.wake();
  expect(clustersOf(probes)).toEqual(["home", "away"]);
  shard.answer(probes[0]!, success);
  expect(shard.notes.filter(({ type }) => type === "resumed")).toEqual([
    { type: "resumed", cluster: "home", controller: "documents" },
  ]);
  expect(shard.trigger("b", { cluster: "away" })).toEqual([]);
});

test("S8 a success in another cluster is none in between: a key that is refused again does not count as failed", () => {
  const shard = new Shard({}, { clusters: ["home", "away"] });
  shard.refuse(shard.trigger("a")[0]!);
  shard.now += 10;
  shard.answer(shard.trigger("b", { cluster: "away" })[0]!, success);
  shard.refuse(shard.wake()[0]!);
  expect(shard.entry("a")).toMatchObject({ attempt: 0 });
});

test("S12 concurrency is a line's", () => {
  const shard = new Shard({ concurrency: 2 }, { clusters: ["home", "away"], controllers: ["documents", "shelves"] });
  for (const cluster of ["home", "away"])
    for (const controller of ["documents", "shelves"])
      expect(shard.batch(["a", "b", "c"], { cluster, controller })).toHaveLength(2);
});

/** A process with places for ten runs, whose first cluster hangs with more keys than that. */
function hanging(clusters: readonly string[], running = 10) {
  const shard = new Shard({ concurrency: 100 }, { clusters, limits: { running } });
  const runs = shard.batch(many("hangs", 30), { cluster: clusters[0]! });
  return { shard, runs };
}

test("S12 a cluster that hangs takes no place that another one needs", () => {
  const { shard, runs } = hanging(["hangs", "one", "two"]);
  expect(runs).toHaveLength(8);
  expect(shard.trigger("a", { cluster: "one" })).toHaveLength(1);
  expect(shard.trigger("a", { cluster: "two" })).toHaveLength(1);
  expect(shard.running()).toHaveLength(10);
  expect(shard.trigger("b", { cluster: "one" })).toEqual([]);
});

test("S12 with more lines than places at most half of the places are kept free", () => {
  const { shard, runs } = hanging(many("cluster", 50));
  expect(runs).toHaveLength(5);
  const others = numbers(49).flatMap((i) => shard.trigger("a", { cluster: `cluster${i + 1}` }));
  expect(others).toHaveLength(5);
});

test("S12 with one line alone every place is its own", () => {
  expect(hanging(["home"]).runs).toHaveLength(10);
});

test("S12 beside a cluster that hangs another one keeps its place for one key after the other", () => {
  const { shard, runs } = hanging(["hangs", "one"]);
  expect(runs).toHaveLength(9);
  let [run] = shard.batch(many("o", 20), { cluster: "one" });
  for (let i = 1; i < 20; i++) {
    [run] = shard.answer(run!, success);
    expect(run?.key.name).toBe(`o${i}`);
  }
});

test("S12, S20 places that a line gives up are shared in turn with the one that waits", () => {
  const { shard, runs } = hanging(["hangs", "one"]);
  shard.batch(many("o", 20), { cluster: "one" });
  expect(runs.slice(0, 4).flatMap((run) => clustersOf(shard.answer(run, success)))).toEqual([
    ...["hangs", "one", "hangs", "one"],
  ]);
});

test("S12, S4 a place that only a lease holds is taken until that ends, and wakes nobody before", () => {
  const shard = new Shard({}, { clusters: ["home", "away"], limits: { running: 1 } });
  shard.refuse(shard.trigger("a")[0]!, { ours: false });
  expect(shard.trigger("b", { cluster: "away" })).toEqual([]);
  expect(shard.wakeInMs()).toBe(65_000);
  expect(names(shard.wake())).toEqual(["b"]);
});

test("S20 lines take turns, the one that was served least recently first", () => {
  const shard = new Shard({ concurrency: 10 }, { clusters: ["one", "two", "three"] });
  shard.mostStarts = 0;
  for (const cluster of ["one", "two", "three"]) shard.batch(["a", "b", "c"], { cluster });
  shard.mostStarts = 4;
  expect(clustersOf(shard.step())).toEqual(["one", "two", "three", "one"]);
  expect(clustersOf(shard.step())).toEqual(["two", "three", "one", "two"]);
});

test("S20 live keys start before the resync lanes of other lines, four to one", () => {
  const shard = new Shard({ concurrency: 20 }, { clusters: ["bulk", "live"] });
  shard.mostStarts = 0;
  shard.batch(many("r", 3), { cluster: "bulk", lane: "resync" });
  shard.batch(many("l", 9), { cluster: "live" });
  shard.mostStarts = 5;
  expect(names(shard.step())).toEqual(["l0", "l1", "l2", "l3", "r0"]);
  expect(names(shard.step())).toEqual(["l4", "l5", "l6", "l7", "r1"]);
});

test("S20 where an event may start 25 runs, a relist of 800 keys is behind another controller's live change", () => {
  const shard = new Shard({ concurrency: 400 }, { controllers: ["relisted", "changed"] });
  shard.mostStarts = 25;
  const running = shard.batch(many("r", 800), { controller: "relisted", lane: "resync", reason: "bulk" });
  expect(running).toHaveLength(25);
  shard.now += 1;
  expect(names(shard.trigger("live", { controller: "changed" }))[0]).toBe("live");
});

test("S20 where an event may start 25 runs, live changes of two controllers share them", () => {
  const shard = new Shard({ concurrency: 400 }, { controllers: ["busy", "other"] });
  shard.mostStarts = 0;
  shard.batch(many("b", 800), { controller: "busy" });
  shard.now += 1;
  shard.trigger("other", { controller: "other" });
  shard.mostStarts = 25;
  expect(names(shard.step()).indexOf("other")).toBeLessThan(2);
});

test("S20 a cluster whose keys all fail delays no other cluster", () => {
  const shard = new Shard({ concurrency: 10 }, { clusters: ["broken", "good"], limits: { running: 10 } });
  for (const run of shard.batch(many("b", 200), { cluster: "broken" })) shard.answer(run, failure());
  for (let i = 0; i < 50; i++) {
    shard.now += 1_000;
    shard.step();
    const [run] = shard.trigger(`g${i}`, { cluster: "good" });
    expect(run?.key.name).toBe(`g${i}`);
    shard.answer(run!, success);
  }
});
