import { DatabaseSync } from "node:sqlite";

/** The version of the tables in the file. A file of a later one is refused. */
export const SCHEMA_VERSION = 1;

/** One open file: the scheduler's entries and the failure records live in it side by side. */
export type SqliteFile = { readonly database: DatabaseSync; readonly epoch: string; close(): void };

/**
 * Opens the file, creates it where absent: WAL, `synchronous=FULL`, locked for this process.
 * @throws Error when it is of a later schema version, is no database, or another process has it open.
 * @example const file = openSqliteFile("state/sluice.db");
 */
export function openSqliteFile(path: string): SqliteFile {
  const database = new DatabaseSync(path);
  try {
    // The lock is taken by the first access and kept until the file is closed: two schedulers would run a key twice.
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    const { user_version: version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
    if (version > SCHEMA_VERSION)
      throw new Error(`${path} has schema version ${version}; this release knows ${SCHEMA_VERSION} and older`);
    if (version === 0) create(database);
    const { value } = database.prepare("SELECT value FROM meta WHERE name = 'epoch'").get() as { value: string };
    return { database, epoch: value, close: () => database.close() };
  } catch (error) {
    database.close();
    const busy = error instanceof Error && /locked|busy/i.test(error.message);
    throw busy ? new Error(`${path} is in use by another process`, { cause: error }) : error;
  }
}

/**
 * Gives the store a new epoch, so that every relay triggers everything once: due after an older copy of the file was put
 * back (S14).
 * @returns the new epoch.
 * @throws as {@link openSqliteFile}: the scheduler must not run meanwhile.
 */
export function renewEpoch(path: string): string {
  const { database, close } = openSqliteFile(path);
  const epoch = crypto.randomUUID();
  database.prepare("UPDATE meta SET value = ? WHERE name = 'epoch'").run(epoch);
  close();
  return epoch;
}

function create(database: DatabaseSync): void {
  database.exec(`
    BEGIN IMMEDIATE;
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE entry (key TEXT PRIMARY KEY, entry TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE kv (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO meta (name, value) VALUES ('epoch', '${crypto.randomUUID()}');
    PRAGMA user_version = ${SCHEMA_VERSION};
    COMMIT;`);
}
