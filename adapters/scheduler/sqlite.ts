import type { Scheduler } from "../../functions/ports/index.ts";
import type { SqliteFile } from "../sqlite-file.ts";
import { createDriver, type SchedulerOptions } from "./driver.ts";
import type { Entry } from "./entry.ts";
import type { Row } from "./state.ts";
import type { Store } from "./store.ts";

/**
 * A scheduler in one SQLite file, with one commit for all that came in the same turn of the event loop. Closing it leaves
 * the file open.
 * @example const scheduler = createSqliteScheduler(openSqliteFile("sluice.db"), { controllers, clusters, invoker, clock, logger });
 */
export function createSqliteScheduler(file: SqliteFile, options: SchedulerOptions): Scheduler {
  return createDriver(sqliteStore(file), options, { defer: (work) => void setImmediate(work), runsInProcess: true });
}

function sqliteStore({ path, database, epoch }: SqliteFile): Store {
  const entries = new Map<string, Entry>();
  const put = database.prepare(
    "INSERT INTO entry (key, entry) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET entry = excluded.entry",
  );
  const remove = database.prepare("DELETE FROM entry WHERE key = ?");
  return {
    durable: true,
    epoch,
    *load(): Iterable<Row> {
      for (const row of database.prepare("SELECT key, entry FROM entry").iterate()) {
        const { key, entry: text } = row as { key: string; entry: string };
        const entry = parsed(path, key, text);
        entries.set(key, entry);
        yield { key, queue: entry.queue, place: entry.place, writtenAt: entry.writtenAt, entry };
      }
    },
    parked: () => new Map(),
    read: (key) => entries.get(key),
    async commit(changes) {
      database.exec("BEGIN IMMEDIATE");
      try {
        for (const [key, entry] of changes.entries) {
          if (entry) put.run(key, JSON.stringify(entry));
          else remove.run(key);
        }
        database.exec("COMMIT");
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
      for (const [key, entry] of changes.entries) {
        if (entry) entries.set(key, entry);
        else entries.delete(key);
      }
    },
    close() {},
  };
}

function parsed(path: string, key: string, entry: string): Entry {
  try {
    return JSON.parse(entry) as Entry;
  } catch (error) {
    throw new Error(`${path}: the entry of ${key} is damaged`, { cause: error });
  }
}
