import { expect, test } from "vitest";
import { names, Shard } from "../support/shard.ts";

/** Two controllers, each with room for 100 runs. */
const shardOfTwo = () => new Shard({ concurrency: 100 }, { controllers: ["one", "two"] });

test("S20 no more runs start than the step may start; the rest is due at once", () => {
  const shard = shardOfTwo();
  shard.mostStarts = 2;
  expect(names(shard.batch(["a", "b", "c"], { controller: "one" }))).toEqual(["a", "b"]);
  expect(shard.wakeInMs()).toBe(0);
  shard.now += 1;
  expect(names(shard.step())).toEqual(["c"]);
  expect(shard.wakeInMs()).toBe(64_999);
});

test("S20 a controller that always has keys waiting does not starve another one", () => {
  const shard = shardOfTwo();
  shard.mostStarts = 0;
  shard.batch(["a", "b", "c"], { controller: "one" });
  shard.now += 1;
  shard.trigger("z", { controller: "two" });
  shard.mostStarts = 1;
  const started = [1, 2, 3, 4].flatMap((at) => names(shard.trigger(`later-${at}`, { controller: "one" })));
  expect(started).toEqual(["a", "z", "b", "c"]);
});
