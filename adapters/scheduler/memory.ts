import type { Scheduler } from "../../functions/ports/index.ts";
import { createDriver, type SchedulerOptions } from "./driver.ts";
import type { Store } from "./store.ts";

/**
 * A scheduler that forgets everything with its process (`durable: false`), for tests and for trying things out.
 * @example const scheduler = createMemoryScheduler({ controllers, invoker, clock, logger });
 */
export function createMemoryScheduler(options: SchedulerOptions): Scheduler {
  return createDriver(memoryStore(), options, { defer: queueMicrotask });
}

function memoryStore(): Store {
  return { durable: false, epoch: crypto.randomUUID(), load: () => [], commit() {}, close() {} };
}
