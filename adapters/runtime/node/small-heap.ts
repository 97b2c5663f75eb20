import { setFlagsFromString } from "node:v8";

/** Options of Node with which somebody has sized the heap himself. */
const SIZED = /--(max|min|initial)[-_](semi[-_]space|heap|old[-_]space)[-_]size|--heap[-_]growing|--semi[-_]space/;

/**
 * Has V8 collect garbage sooner than it likes: the young generation stays as large as starting made it, 8 to 16 MB, where it
 * would grow to more than 50, and the old one grows by a fifth before it is looked through, where it would double. Measured
 * with 2,000 objects: 50 MB less, for some 0.1 ms of CPU an object. Does nothing where Node's own options size the heap.
 */
export function keepHeapSmall({ execArgv, env } = process): void {
  if (SIZED.test([...execArgv, env.NODE_OPTIONS].join(" "))) return;
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=20");
}
