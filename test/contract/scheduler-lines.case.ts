import { expect } from "vitest";
import { requeue, success, triggerOf } from "../support/shard.ts";
import type { Bench, Suite } from "./scheduler-bench.ts";

const TWO = { clusters: ["home", "away"] };
const MINUTE_MS = 60_000;

/** S20: a controller in a cluster is a line of its own. */
export function testLines({ start, test, durable }: Suite): void {
  const accept = (b: Bench, cluster: string, ...names: string[]) =>
    b.scheduler.accept(
      cluster,
      names.map((name) => triggerOf(name)),
    );

  test("S8 a refusal pauses its line, and no other cluster", async () => {
    const b = await start({}, TWO);
    await accept(b, "home", "a");
    await b.clock.settle();
    await b.refuse(0, { retryAfterMs: MINUTE_MS });
    await accept(b, "home", "b");
    await accept(b, "away", "c");
    await b.clock.settle();
    expect(b.names()).toEqual(["a", "c"]);
  });

  test("S12 concurrency is a line's", async () => {
    const b = await start({ concurrency: 1 }, TWO);
    await accept(b, "home", "a", "b");
    await accept(b, "away", "c", "d");
    await b.clock.settle();
    expect(b.names()).toEqual(["a", "c"]);
    await b.answer(1, success);
    expect(b.names()).toEqual(["a", "c", "d"]);
  });

  test("S12 a cluster that hangs leaves a place of the process to another one", async () => {
    const b = await start({}, { ...TWO, limits: { running: 3 } });
    await accept(b, "home", "a", "b", "c", "d");
    await accept(b, "away", "z");
    await b.clock.settle();
    expect(b.names()).toEqual(["a", "b", "z"]);
    await b.answer(2, success);
    await accept(b, "away", "y");
    await b.clock.settle();
    expect(b.names()).toEqual(["a", "b", "z", "y"]);
  });

  test("S11 timers and orders for many take turns in the resync lane", async () => {
    const b = await start({ concurrency: 1 });
    for (const [at, name] of ["p0", "p1"].entries()) {
      await accept(b, "home", name);
      await b.clock.settle();
      await b.answer(at, requeue(MINUTE_MS));
    }
    await accept(b, "home", "busy");
    await b.clock.advance(MINUTE_MS);
    await b.accept(...["b0", "b1"].map((name) => triggerOf(name, { lane: "resync", reason: "bulk" })));
    for (let run = 2; run < 7; run++) await b.answer(run, success);
    expect(b.names().slice(2)).toEqual(["busy", "p0", "b0", "p1", "b1"]);
  });

  if (!durable) return;

  test("S11, S14 a poll is one after the process too: a live change goes before those that are overdue", async () => {
    const b = await start({ concurrency: 1 });
    for (const [at, name] of ["p0", "p1", "p2"].entries()) {
      await accept(b, "home", name);
      await b.clock.settle();
      await b.answer(at, requeue(MINUTE_MS));
    }
    await b.clock.advance(MINUTE_MS - 1);
    await b.restart();
    await accept(b, "home", "busy");
    await b.clock.advance(MINUTE_MS / 2);
    await accept(b, "home", "live");
    await b.clock.settle();
    await b.answer(3, success);
    expect(b.names().slice(3)).toEqual(["busy", "live"]);
  });

  test("S8, S14 a pause that survives the process is its line's", async () => {
    const b = await start({}, TWO);
    await accept(b, "home", "a");
    await b.clock.settle();
    await b.refuse(0, { retryAfterMs: MINUTE_MS });
    await b.restart();
    await accept(b, "home", "b");
    await accept(b, "away", "c");
    await b.clock.settle();
    expect(b.names()).toEqual(["a", "c"]);
  });
}
