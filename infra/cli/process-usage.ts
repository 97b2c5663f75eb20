import type { ProcessUsage } from "../relay/metrics/gauges.ts";

/** What this process has used so far. */
export function processUsage(): ProcessUsage {
  const { user, system } = process.cpuUsage();
  return {
    cpuSeconds: (user + system) / 1_000_000,
    residentBytes: process.memoryUsage.rss(),
    startedAtSeconds: Date.now() / 1_000 - process.uptime(),
  };
}

/** @example runtimeName() // "node 24.21.0" */
export function runtimeName(): string {
  const { deno, node } = process.versions;
  return deno ? `deno ${deno}` : `node ${node}`;
}
