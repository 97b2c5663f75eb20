import type { Scheduler } from "../../functions/ports/index.ts";
import type { SqliteFile } from "../sqlite/sqlite-file.ts";
import { createDriver, type SchedulerOptions } from "./driver.ts";
import { SqliteStore } from "./sqlite-store.ts";

/**
 * A scheduler in one SQLite file, with one commit for all that came in the same turn of the event loop. Closing it leaves
 * the file open.
 * @throws Error when the file cannot be read.
 * @example
 * const file = await openSqliteFile("sluice.db", { logger });
 * const scheduler = await createSqliteScheduler(file, { controllers, clusters, invoker, clock, logger });
 */
export async function createSqliteScheduler(file: SqliteFile, options: SchedulerOptions): Promise<Scheduler> {
  const { logger, clock } = options;
  const store = await SqliteStore.open(file, { logger, now: () => clock.now() });
  return createDriver(store, options, { defer: (work) => void setImmediate(work), runsInProcess: true });
}
