import { expect, test } from "vitest";
import { keyOf } from "../../functions/contract/index.ts";
import { inputOf, names, requeue, Shard, success } from "../support/shard.ts";

/** A shard that can load two keys, and has them: one runs, one waits for an hour. */
function full() {
  const shard = new Shard({}, { limits: { keys: 2 } });
  shard.answer(shard.trigger("waits")[0]!, requeue(3_600_000));
  const [run] = shard.trigger("runs");
  return { shard, run: run! };
}

test("S21 a full shard names the triggers of keys that are new to it, and changes nothing for them", () => {
  const { shard } = full();
  expect(shard.batch(["new", "waits", "other"])).toMatchObject([{ key: { name: "waits" } }]);
  expect(shard.full).toEqual([0, 2]);
  expect([shard.state.size, shard.entry("new")]).toEqual([2, undefined]);
  expect(shard.notes).toEqual([{ type: "full", cluster: "home", controller: "documents", triggers: 2 }]);
});

test("S21 keys that a full shard has still merge, run and end", () => {
  const { shard, run } = full();
  shard.trigger("runs");
  expect(shard.full).toEqual([]);
  expect(names(shard.answer(run, success))).toEqual(["runs"]);
});

test("S21 a key that leaves makes room", () => {
  const { shard, run } = full();
  shard.answer(run, success);
  expect(names(shard.trigger("new"))).toEqual(["new"]);
  expect(shard.full).toEqual([]);
});

test("S21 a key that leaves makes room for what comes after it in the same step, and not before", () => {
  const { shard, run } = full();
  const leaves = { type: "settle", key: keyOf(run.key), lease: run.lease, answer: success } as const;
  shard.step(inputOf("before"), leaves, inputOf("after"), inputOf("too-late"));
  expect(shard.full).toEqual([0, 3]);
  expect(shard.entry("after")).toBeDefined();
});

test("S21 triggers of one batch fill what room there is", () => {
  const shard = new Shard({}, { limits: { keys: 2 } });
  shard.batch(["a", "b", "a", "c"]);
  expect(shard.full).toEqual([3]);
});

test("S21 a long key weighs more than one", () => {
  const shard = new Shard({}, { limits: { keys: 3 } });
  shard.trigger("x".repeat(377)); // 400 letters with what is before its name: it weighs as two
  shard.batch(["a", "b"]);
  expect(shard.full).toEqual([1]);
});

test("S21 what was parked counts, and its deletion makes room", () => {
  const { shard } = full();
  shard.reload({ clusters: ["away"] });
  shard.trigger("new", { cluster: "away" });
  expect(shard.full).toEqual([0]);
  shard.step({ type: "delete parked", cluster: "home", controller: "documents" });
  expect(names(shard.trigger("new", { cluster: "away" }))).toEqual(["new"]);
});

test("S21, S14 a reload loads all that it holds, and is as full as before", () => {
  const { shard } = full();
  shard.reload();
  shard.trigger("new");
  expect(shard.full).toEqual([0]);
});
