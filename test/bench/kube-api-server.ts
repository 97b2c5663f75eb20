/**
 * The in-process API server in a process of its own, so that its memory can be told from its client's.
 * @module
 */
import { createApiServer } from "sluice/testing";

export type KubeApiServerReport = { url: string; rss: number; heap: number };

const { url } = await createApiServer().listen();

function report(): void {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ url, rss, heap: heapUsed } satisfies KubeApiServerReport);
}

process.on("message", report);
process.once("disconnect", () => process.exit(0));
report();
