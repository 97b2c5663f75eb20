/**
 * Measures one case in a process of its own, so that its memory and its event loop are not another's. The case and the path of
 * its file are in the arguments; the result goes to the parent.
 * @module
 */
import { latency } from "./cases/latency.ts";
import { fill, load } from "./cases/load.ts";
import { hang, polls, relist } from "./cases/neighbour.ts";
import { throughput } from "./cases/throughput.ts";
import type { Case } from "./plan.ts";

const [text = "", path = ""] = process.argv.slice(2);
const asked = JSON.parse(text) as Case;

function measure(): Promise<unknown> {
  if (asked.type === "fill") return fill(path, asked.rows, asked.requeueMs, asked.aheadMs);
  if (asked.type === "load") return load(path, asked.rows);
  if (asked.type === "polls") return polls({ store: "sqlite", path }, asked.sampling);
  const at = { store: asked.store, path };
  if (asked.type === "throughput") return throughput(at, asked.keys);
  if (asked.type === "latency") return latency(at, asked);
  if (asked.type === "hang") return hang(at, asked, asked.sampling);
  return relist(at, asked.keys, asked.sampling);
}

const result = await measure();
// What still runs or waits is none of the case's.
process.send?.(result ?? null, () => process.exit(0));
