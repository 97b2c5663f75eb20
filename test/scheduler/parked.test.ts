import { expect, test } from "vitest";
import { PARKED_FOR_MS } from "../../adapters/scheduler/park.ts";
import { requeue, Shard, success } from "../support/shard.ts";

const DAY_MS = 86_400_000;

test("S17 entries of a controller that is no longer declared start nothing, and run once it is declared again", () => {
  const shard = new Shard();
  shard.answer(shard.trigger("a")[0]!, requeue(60_000));
  shard.reload({ controllers: [] });
  expect(shard.notes).toEqual([{ type: "parked", cluster: "home", controller: "documents", entries: 1 }]);
  shard.now += DAY_MS;
  expect(shard.step()).toEqual([]);
  shard.now += DAY_MS;
  expect(shard.reload()).toMatchObject([{ key: { name: "a" }, reasons: ["requeue"] }]);
});

test("S17 they are deleted after 30 days without the controller, however often the shard was loaded since", () => {
  const shard = new Shard();
  shard.answer(shard.trigger("a")[0]!, requeue(90 * DAY_MS));
  shard.now += 40 * DAY_MS; // as old as that when it is parked
  shard.reload({ controllers: [] });
  shard.now += 20 * DAY_MS;
  shard.reload({ controllers: [] });
  expect(shard.wakeInMs()).toBe(10 * DAY_MS); // S4
  shard.now += 10 * DAY_MS - 1;
  shard.step();
  expect(shard.entry("a")).toBeDefined();
  shard.wake();
  expect(shard.entry("a")).toBeUndefined();
  expect(shard.wakeInMs()).toBeNull();
  expect(shard.notes.at(-1)).toEqual({ type: "deleted", cluster: "home", controller: "documents", entries: 1 });
});

test("S17 the 30 days begin anew when the controller was declared in between", () => {
  const shard = new Shard();
  shard.answer(shard.trigger("a")[0]!, requeue(90 * DAY_MS));
  shard.reload({ controllers: [] });
  shard.now += 20 * DAY_MS;
  shard.reload();
  shard.now += 1_000;
  shard.reload({ controllers: [] });
  expect(shard.wakeInMs()).toBe(PARKED_FOR_MS);
});

test("S17 a command deletes what is parked of a controller, and nothing that is declared", () => {
  const shard = new Shard();
  shard.answer(shard.trigger("a")[0]!, requeue(60_000));
  shard.step({ type: "delete parked", cluster: "home", controller: "documents" });
  expect(shard.entry("a")).toBeDefined();
  shard.reload({ controllers: [] });
  shard.step({ type: "delete parked", cluster: "home", controller: "others" });
  expect(shard.entry("a")).toBeDefined();
  shard.step({ type: "delete parked", cluster: "home", controller: "documents" });
  expect(shard.entry("a")).toBeUndefined();
});

test("S17 a run that may still go on is settled as ever, and what is left of it is parked", () => {
  const shard = new Shard();
  const [run] = shard.trigger("a");
  shard.reload({ controllers: [] });
  shard.step({ type: "delete parked", cluster: "home", controller: "documents" });
  expect(shard.entry("a")).toMatchObject({ lease: { id: run!.lease } });
  expect(shard.answer(run!, requeue(1_000))).toEqual([]);
  expect(shard.entry("a")).toMatchObject({ lease: null });
  shard.now += 5_000;
  expect(shard.step()).toEqual([]);
  expect(shard.wakeInMs()).toBe(PARKED_FOR_MS - 5_000);
});

const TWO = { clusters: ["home", "away"] };

test("S17 a cluster that leaves is parked with all its controllers, and nothing of another cluster is", () => {
  const shard = new Shard({}, { ...TWO, controllers: ["documents", "shelves"] });
  for (const cluster of TWO.clusters)
    for (const controller of ["documents", "shelves"])
      shard.answer(shard.trigger("a", { cluster, controller })[0]!, requeue(60_000));
  shard.reload({ clusters: ["home"] });
  expect(shard.notes).toEqual([
    { type: "parked", cluster: "away", controller: "documents", entries: 1 },
    { type: "parked", cluster: "away", controller: "shelves", entries: 1 },
  ]);
  expect(shard.wake().map(({ key }) => key.cluster)).toEqual(["home", "home"]);
});

test("S17 a cluster that comes back goes on where it was, and its 30 days are over with", () => {
  const shard = new Shard({}, TWO);
  shard.answer(shard.trigger("a", { cluster: "away" })[0]!, requeue(60_000));
  shard.reload({ clusters: ["home"] });
  shard.now += 29 * DAY_MS;
  shard.trigger("a", { cluster: "away" });
  expect(shard.reload()).toMatchObject([
    { key: { cluster: "away" }, reasons: ["requeue", "object-updated"], attempt: 0 },
  ]);
  expect(shard.state.parked.size).toBe(0);
});

test("S17, S4 60 keys of a cluster that has left, due every 5 s, cost no wake-up, no row and no start of another one", () => {
  const shard = new Shard({ concurrency: 100 }, TWO);
  const keys = Array.from({ length: 60 }, (_, i) => `dead${i}`);
  for (const run of shard.batch(keys, { cluster: "away" })) shard.answer(run, requeue(5_000));
  shard.reload({ clusters: ["home"] });
  expect(shard.written).toBe(1); // the line's row
  shard.mostStarts = 25;
  for (let tick = 0; tick < 100; tick++) {
    shard.now += 5_000;
    expect(shard.step()).toEqual([]);
    expect(shard.written).toBe(0);
    expect(shard.wakeInMs()).toBe(PARKED_FOR_MS - (tick + 1) * 5_000);
  }
  expect(shard.batch(keys.slice(0, 25))).toHaveLength(25);
  shard.mostStarts = Number.POSITIVE_INFINITY;
  expect(shard.reload()).toHaveLength(60);
});

test("S17 all that is parked in a line is deleted at once, what came later too, and other lines' later", () => {
  const shard = new Shard({}, TWO);
  for (const name of ["a", "b"]) shard.answer(shard.trigger(name)[0]!, requeue(60_000));
  shard.reload({ clusters: [] });
  shard.now += 10 * DAY_MS;
  shard.batch(["c", "d"]);
  shard.trigger("e", { cluster: "away" });
  shard.now += 20 * DAY_MS;
  shard.step();
  expect(shard.state.size).toBe(1);
  expect(shard.notes.at(-1)).toEqual({ type: "deleted", cluster: "home", controller: "documents", entries: 4 });
  expect(shard.wakeInMs()).toBe(10 * DAY_MS);
});

test("S17 the row of a line goes with its last entry", () => {
  const shard = new Shard();
  const [run] = shard.trigger("a");
  shard.reload({ controllers: [] });
  expect(shard.state.parked.size).toBe(1);
  shard.answer(run!, success);
  expect(shard.state.parked.size).toBe(0);
});
