/** How often it is looked at. */
const INTERVAL_MS = 30_000;
/** Less garbage than this, and than a tenth of what is alive, is left: an idle process collects nothing. */
const WORTH_BYTES = 1_500_000;
const WORTH_SHARE = 0.1;

type Collect = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

/**
 * Collects garbage as it comes, where V8 runs with `--expose-gc`, and gives the memory back: left to itself it lets the heap
 * grow to twice of what is alive before it looks, and keeps the pages. Measured with 10,000 objects: 8 MB of 74, for 40 ms of
 * CPU each time.
 */
export function keepHeapSmall(): void {
  const { gc: collect } = globalThis as { gc?: Collect };
  if (!collect) return;
  let alive = 0;
  const timer: unknown = setInterval(() => {
    if (process.memoryUsage().heapUsed < alive + Math.max(WORTH_BYTES, alive * WORTH_SHARE)) return;
    collect({ type: "major", execution: "sync", flavor: "last-resort" });
    alive = process.memoryUsage().heapUsed;
  }, INTERVAL_MS);
  // It keeps nothing alive by itself.
  (timer as { unref(): void }).unref();
}
