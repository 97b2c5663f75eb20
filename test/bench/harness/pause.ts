import { setTimeout } from "node:timers/promises";

export function pause(ms: number): Promise<void> {
  return setTimeout(ms);
}

/** Does `work` for every item, `width` at a time. */
export async function inParallel<T>(items: readonly T[], width: number, work: (item: T) => Promise<unknown>) {
  const queue = items.values();
  const lane = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: width }, lane));
}
