import { expect } from "vitest";
import { failure, refOf, success, triggerOf } from "../support/shard.ts";
import type { Bench, Suite } from "./scheduler-bench.ts";

const LEASE_MS = 65_000;
const KEYS = ["a", "b", "c", "d"];

/** S6: runs that are lost with their process. */
export function testLost({ start, test }: Suite): void {
  /** The process is killed, and the leases of its runs end where they outlive it (S5). */
  const crash = async (b: Bench) => {
    await b.restart();
    if (b.remoteRuns) await b.clock.advance(LEASE_MS);
  };
  const since = (b: Bench, count: number) => b.names().slice(count);

  test("S6 runs that are lost with their process come again one at a time, as if they had never been", async () => {
    const b = await start();
    await b.accept(...KEYS.map((name) => triggerOf(name)));
    await b.clock.settle();
    await crash(b);
    for (let run = 4; run < 8; run++) {
      expect(since(b, 4)).toHaveLength(run - 3);
      expect(b.runs[run]!.request).toMatchObject({ attempt: 0, counts: true, reasons: ["object-updated"] });
      await b.answer(run, success);
    }
    expect(since(b, 4).sort()).toEqual(KEYS);
    expect(b.scheduler.size().entries).toBe(0);
  });

  test("S6, S4 the next one starts 5 s after the last one that has not ended, by the timer", async () => {
    const b = await start();
    await b.accept(...KEYS.map((name) => triggerOf(name)));
    await b.clock.settle();
    await crash(b);
    await b.clock.advance(4_999);
    expect(since(b, 4)).toHaveLength(1);
    await b.clock.advance(1);
    expect(since(b, 4)).toHaveLength(2);
  });

  test("S6 a key that is lost twice in a row counts as failed, and those that wait behind it do not", async () => {
    const b = await start();
    await b.accept(...KEYS.map((name) => triggerOf(name)));
    await b.clock.settle();
    await crash(b);
    const [poisonous] = since(b, 4);
    await crash(b);
    expect(b.scheduler.inspect(refOf(poisonous!))).toMatchObject({ attempt: 1 });
    if (b.remoteRuns) return; // those that wait have started meanwhile
    for (const name of KEYS.filter((each) => each !== poisonous))
      expect(b.scheduler.inspect(refOf(name))).toMatchObject({ attempt: 0, backoffInMs: null });
  });

  test("S6 a failed key that is lost once keeps its count and its backoff", async () => {
    const b = await start();
    await b.accept(triggerOf("a"));
    await b.clock.settle();
    await b.answer(0, failure({ uid: "u" }));
    await b.clock.advance(1_000);
    await crash(b);
    expect(b.runs[2]!.request).toMatchObject({ attempt: 1, counts: true, uid: "u" });
    await b.answer(2, failure());
    expect(b.scheduler.inspect(refOf("a"))).toMatchObject({ attempt: 2, backoffInMs: 2_000 });
  });

  test("S6 an orderly stop counts nothing, and what it cut off runs again", async () => {
    const b = await start();
    await b.accept(...KEYS.map((name) => triggerOf(name)));
    await b.clock.settle();
    for (let stop = 1; stop <= 3; stop++) {
      await b.stopAndStart();
      // S5: a run that outlives the process may go on, so that nothing of it is cut off.
      expect(since(b, 4)).toHaveLength(b.remoteRuns ? 0 : 4 * stop);
    }
    for (const name of KEYS) expect(b.scheduler.inspect(refOf(name))).toMatchObject({ attempt: 0, running: true });
  });

  test("S5 an answer that has arrived is taken though the process comes to it after the lease's end", async () => {
    const b = await start();
    await b.accept(triggerOf("a"));
    await b.clock.advance(LEASE_MS - 1);
    b.runs[0]!.answer(success);
    await b.clock.advance(1);
    expect(b.scheduler.inspect(refOf("a"))).toBeUndefined();
  });
}
