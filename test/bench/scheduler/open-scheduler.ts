import { createMemoryScheduler } from "../../../adapters/scheduler/memory.ts";
import { createSqliteScheduler } from "../../../adapters/scheduler/sqlite.ts";
import { openSqliteFile } from "../../../adapters/sqlite/sqlite-file.ts";
import type { SchedulingOptions } from "../../../functions/contract/index.ts";
import type { Clock, Invoker, Logger, Scheduler } from "../../../functions/ports/index.ts";

export const stores = ["sqlite", "memory"] as const;
export type StoreName = (typeof stores)[number];

export type Opening = {
  store: StoreName;
  /** The file, where the store has one. */
  path: string;
  controllers: ReadonlyMap<string, SchedulingOptions>;
  clusters: readonly string[];
  invoker: Invoker;
  clock: Clock;
};

/** What the bench does with a scheduler. */
export type Opened = Pick<Scheduler, "accept" | "size"> & {
  /** Lets go of the store and its file. */
  close(): Promise<void>;
};

const logger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error: (message, fields) => console.error(message, fields),
  with: () => logger,
};

/** Opens a scheduler, and resolves once it has loaded and looked for work: the one place that knows how that is done. */
export async function openScheduler({ store, path, controllers, clusters, invoker, clock }: Opening): Promise<Opened> {
  const options = { controllers, clusters: new Set(clusters), invoker, clock, logger };
  const file = store === "sqlite" ? await openSqliteFile(path, { logger }) : undefined;
  const scheduler = file ? await createSqliteScheduler(file, options) : createMemoryScheduler(options);
  await Promise.all(clusters.map((cluster) => scheduler.wake(cluster)));
  return {
    accept: (cluster, triggers) => scheduler.accept(cluster, triggers),
    size: () => scheduler.size(),
    async close() {
      await scheduler.close();
      await file?.close();
    },
  };
}
