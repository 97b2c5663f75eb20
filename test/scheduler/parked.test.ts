import { expect, test } from "vitest";
import { PARKED_FOR_MS } from "../../adapters/scheduler/park.ts";
import { requeue, Shard } from "../support/shard.ts";

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
