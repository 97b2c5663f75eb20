import { expect } from "vitest";
import { refOf, requeue, success, triggerOf } from "../support/shard.ts";
import type { Suite } from "./scheduler-bench.ts";

/** S21: a scheduler takes no more keys than it can load again. */
export function testFull({ start, test, durable }: Suite): void {
  const begin = async () => {
    const b = await start({}, { limits: { keys: 2 } });
    await b.accept(triggerOf("waits"), triggerOf("runs"));
    await b.clock.settle();
    await b.answer(0, requeue(3_600_000));
    return b;
  };

  test("S21 a full scheduler names the triggers of keys that are new to it, and takes the others", async () => {
    const b = await begin();
    const accepted = await b.accept(triggerOf("new"), triggerOf("waits"), triggerOf("other"));
    expect(accepted.full).toEqual([0, 2]);
    await b.clock.settle();
    expect(b.names()).toEqual(["waits", "runs", "waits"]);
    expect(b.scheduler.inspect(refOf("new"))).toBeUndefined();
  });

  test("S21 it says nothing of it where it has room, and names the places of each batch by itself", async () => {
    const b = await begin();
    const batches = [[triggerOf("waits")], [triggerOf("runs"), triggerOf("new")], [triggerOf("new")]];
    const accepted = await Promise.all(batches.map((batch) => b.accept(...batch)));
    expect(accepted.map(({ full }) => full)).toEqual([undefined, [1], [0]]);
  });

  test("S21 it warns once a batch", async () => {
    const b = await begin();
    await b.accept(...["x", "y", "z"].map((name) => triggerOf(name)));
    const lines = b.logger.lines.filter(({ message }) => message.includes("as many keys as it can load"));
    expect(lines.map(({ level, fields }) => [level, fields?.triggers])).toEqual([["warn", 3]]);
  });

  test("S21 a key that leaves makes room", async () => {
    const b = await begin();
    await b.answer(1, success);
    expect((await b.accept(triggerOf("new"))).full).toBeUndefined();
    await b.clock.settle();
    expect(b.names().at(-1)).toBe("new");
  });

  if (!durable) return;

  test("S21, S14 the next process is as full, and loads all of it even where it has less room", async () => {
    const b = await begin();
    await b.restart({ limits: { keys: 1 } });
    expect(b.scheduler.size().entries).toBe(2);
    expect((await b.accept(triggerOf("new"), triggerOf("waits"))).full).toEqual([0]);
  });
}
