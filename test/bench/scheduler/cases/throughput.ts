import { eventually } from "../../../cluster/support/eventually.ts";
import { round } from "../../harness/statistics.ts";
import { awaitsChange, Runs } from "../runs.ts";
import { openSettled, type SessionOptions } from "../session.ts";
import { acceptAll, manyTriggers, refOf, triggerOf } from "../triggering.ts";

export type Throughput = { acceptedInBatches: number; acceptedOneByOne: number; dispatched: number };

const LIMIT_MS = 600_000;

/** Triggers of new keys accepted a second, while nothing of them starts; and runs from trigger to settled a second. */
export async function throughput(at: Pick<SessionOptions, "store" | "path">, keys: number): Promise<Throughput> {
  const batches = await accepted(`${at.path}-batches`, { batch: 100, width: 4 });
  const single = await accepted(`${at.path}-single`, { batch: 1, width: 64 });
  return { acceptedInBatches: batches, acceptedOneByOne: single, dispatched: await dispatched() };

  async function accepted(path: string, how: { batch: number; width: number }): Promise<number> {
    const endless = new Runs(() => ({ takesMs: LIMIT_MS, answer: awaitsChange }));
    const { scheduler } = await openSettled({ ...at, path, runs: endless, scheduling: { concurrency: 1 } });
    await scheduler.accept("a", [triggerOf(refOf("a", "the-one-that-runs"))]);
    const triggers = manyTriggers(keys);
    const begun = performance.now();
    await acceptAll(scheduler, triggers, how);
    return rate(keys, begun);
  }

  async function dispatched(): Promise<number> {
    const runs = new Runs(() => ({ takesMs: 0, answer: awaitsChange }));
    const { scheduler } = await openSettled({ ...at, runs, scheduling: { concurrency: 64 } });
    const triggers = manyTriggers(keys);
    const begun = performance.now();
    await acceptAll(scheduler, triggers, { batch: 100, width: 4 });
    await eventually("every key has run", LIMIT_MS, () => scheduler.size().entries === 0);
    return rate(keys, begun);
  }
}

function rate(count: number, begun: number): number {
  return round(count / ((performance.now() - begun) / 1000), 0);
}
