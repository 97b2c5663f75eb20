import { createMemoryScheduler } from "../../../adapters/scheduler/memory.ts";
import { createSqliteScheduler } from "../../../adapters/scheduler/sqlite.ts";
import { openSqliteFile } from "../../../adapters/sqlite-file.ts";
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
export async function openScheduler({ store, path, controllers, invoker, clock }: Opening): Promise<Opened> {
  const options = { controllers, invoker, clock, logger };
  const file = store === "sqlite" ? openSqliteFile(path) : undefined;
  const scheduler = file ? createSqliteScheduler(file, options) : createMemoryScheduler(options);
  await scheduler.wake();
  return {
    accept: (cluster, triggers) => scheduler.accept(cluster, triggers),
    size: () => scheduler.size(),
    async close() {
      scheduler.close();
      file?.close();
    },
  };
}
