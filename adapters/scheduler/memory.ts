import type { Scheduler } from "../../functions/ports/index.ts";
import { createDriver, type SchedulerOptions } from "./driver.ts";
import type { Entry } from "./entry.ts";
import type { Store } from "./store.ts";

/**
 * A scheduler that forgets everything with its process (`durable: false`), for tests and for trying things out.
 * @example const scheduler = createMemoryScheduler({ controllers, clusters, invoker, clock, logger });
 */
export function createMemoryScheduler(options: SchedulerOptions): Scheduler {
  return createDriver(memoryStore(), options, { defer: queueMicrotask, runsInProcess: true });
}

function memoryStore(): Store {
  const entries = new Map<string, Entry>();
  return {
    durable: false,
    epoch: crypto.randomUUID(),
    load: () => [],
    parked: () => new Map(),
    read: (key) => entries.get(key),
    async commit(changes) {
      for (const [key, entry] of changes.entries) {
        if (entry) entries.set(key, entry);
        else entries.delete(key);
      }
    },
    close() {},
  };
}
