import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll } from "vitest";
import type { SqliteFile } from "../../adapters/sqlite/sqlite-file.ts";
import { settlesWith } from "../../adapters/testing/virtual-clock.ts";

/** Gives paths of files that are not there yet, in a folder that ends with the test file. */
export function temporaryPaths(): () => string {
  const folder = mkdtempSync(join(tmpdir(), "sluice-sqlite-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let files = 0;
  return () => join(folder, `${++files}.db`);
}

/** The same file, for tests on a virtual clock: that settles what the thread does, too. */
export function settlingFile(file: SqliteFile): SqliteFile {
  return {
    path: file.path,
    epoch: file.epoch,
    write: (ops) => settlesWith(file.write(ops)),
    value: (key, now) => settlesWith(file.value(key, now)),
    entries: () => file.entries(),
    lines: () => settlesWith(file.lines()),
    close: () => settlesWith(file.close()),
  };
}

/** Does something with a file that nobody has open. */
export function withDatabase<T>(path: string, use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(path);
  try {
    return use(database);
  } finally {
    database.close();
  }
}
