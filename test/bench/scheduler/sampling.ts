import { pause } from "../harness/pause.ts";
import type { Opened } from "./open-scheduler.ts";
import type { Runs } from "./runs.ts";
import { CONTROLLER, refOf, triggerOf } from "./triggering.ts";

export type Sampling = {
  count: number;
  everyMs: number;
  /** How long after the last one a change may still start; one that has not started then counts as infinitely late. */
  limitMs: number;
};

/**
 * Live changes of each cluster, each of a key of its own and at a fixed instant, whether or not those before have started:
 * the milliseconds from that instant to the start of its run.
 */
export async function sampleStarts(
  { scheduler, runs }: { scheduler: Opened; runs: Runs },
  clusters: readonly string[],
  { count, everyMs, limitMs }: Sampling,
  controller = CONTROLLER,
): Promise<Record<string, number[]>> {
  const samples: Record<string, number[]> = {};
  for (const cluster of clusters) samples[cluster] = new Array<number>(count).fill(Number.POSITIVE_INFINITY);
  const all: Promise<void>[] = [];
  const begun = performance.now();
  for (let i = 0; i < count; i++) {
    const at = begun + i * everyMs;
    await pause(Math.max(0, Math.ceil(at - performance.now())));
    for (const [cluster, late] of Object.entries(samples)) {
      const ref = refOf(cluster, `change-${i}`, controller);
      const started = runs.startOf(ref).then((startedAt) => {
        late[i] = startedAt - at;
      });
      all.push(
        started,
        scheduler.accept(cluster, [triggerOf(ref)]).then(() => {}),
      );
    }
  }
  await Promise.race([Promise.all(all), pause(limitMs)]);
  return samples;
}
