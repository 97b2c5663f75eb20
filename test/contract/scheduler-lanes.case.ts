import { expect } from "vitest";
import { success, triggerOf } from "../support/shard.ts";
import type { Bench, Suite } from "./scheduler-bench.ts";

const resyncOf = (name: string) => triggerOf(name, { lane: "resync", reason: "bulk" });
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

/** S11: changes go before a relist, which goes on all the same. */
export function testLanes({ start, test, durable }: Suite): void {
  const answerAll = async (b: Bench, from: number, count: number) => {
    for (let i = from; i < from + count; i++) await b.answer(i, success);
  };

  test("S11 four live keys start to one of the resync lane", async () => {
    const b = await start({ concurrency: 1 });
    await b.accept(...["busy", "r0", "r1"].map(resyncOf));
    await b.accept(...numbers(9).map((i) => triggerOf(`l${i}`)));
    await b.clock.settle();
    await answerAll(b, 0, 12);
    expect(b.names()).toEqual(["busy", "l0", "l1", "l2", "l3", "r0", "l4", "l5", "l6", "l7", "r1", "l8"]);
  });

  test("S11 a key that turns live moves to the tail of the live lane", async () => {
    const b = await start({ concurrency: 1 });
    await b.accept(...["busy", "turning", "r"].map(resyncOf));
    await b.clock.advance(1);
    await b.accept(triggerOf("a"));
    await b.clock.advance(1);
    await b.accept(triggerOf("turning"));
    await b.clock.advance(1);
    await b.accept(triggerOf("z"));
    await answerAll(b, 0, 5);
    expect(b.names()).toEqual(["busy", "a", "turning", "z", "r"]);
  });

  test("S11 a relist delays no live change by more than the runs under way", async () => {
    const b = await start({ concurrency: 2 });
    for (const batch of numbers(4)) await b.accept(...numbers(500).map((i) => resyncOf(`r${batch}-${i}`)));
    await b.clock.settle();
    await b.accept(triggerOf("live"));
    await answerAll(b, 0, 1);
    expect(b.names()[2]).toBe("live");
  });

  if (!durable) return;

  test("S11, S14 lanes and places survive the process", async () => {
    const b = await start({ concurrency: 1 });
    await b.accept(triggerOf("refused"));
    await b.clock.advance(1);
    await b.refuse(0, { retryAfterMs: 10_000 }); // so that all wait, and none runs
    for (const trigger of [resyncOf("turning"), resyncOf("r"), triggerOf("z"), triggerOf("turning"), triggerOf("a")]) {
      await b.accept(trigger);
      await b.clock.advance(1);
    }
    await b.restart();
    await b.clock.advance(10_000);
    await answerAll(b, 1, 5);
    expect(b.names().slice(1)).toEqual(["z", "refused", "turning", "a", "r"]);
  });
}
