import { DatabaseSync } from "node:sqlite";

/** The version of the tables in the file. A file of a later one is refused. */
export const SCHEMA_VERSION = 1;

/** One open file: the scheduler's entries and the failure records live in it side by side. */
export type SqliteFile = {
  readonly path: string;
  readonly database: DatabaseSync;
  readonly epoch: string;
  close(): void;
};

/**
 * Opens the file, creates it where absent: WAL, `synchronous=FULL`, locked for this process.
 * @throws Error when it is of a later schema version, is no database, or another process has it open.
 * @example const file = openSqliteFile("state/sluice.db");
 */
export function openSqliteFile(path: string, { create: mayCreate = true } = {}): SqliteFile {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    // The lock is taken by the first access and kept until the file is closed: two schedulers would run a key twice.
    database.exec("PRAGMA locking_mode = EXCLUSIVE;");
    const tables = database.prepare("SELECT name FROM sqlite_master").all();
    const { user_version: version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
    if (version > SCHEMA_VERSION)
      throw new Error(`it has schema version ${version}; this release knows ${SCHEMA_VERSION} and older`);
    const ours = tables.some((table) => table.name === "meta") && tables.some((table) => table.name === "entry");
    if (!ours && (tables.length > 0 || version > 0 || !mayCreate)) throw new Error("no scheduler made it");
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    if (!ours) create(database);
    const { value } = database.prepare("SELECT value FROM meta WHERE name = 'epoch'").get() as { value: string };
    const opened = database;
    return { path, database, epoch: value, close: () => opened.close() };
  } catch (error) {
    database?.close();
    const { message } = error as Error;
    const why = /locked|busy/i.test(message) ? "it is in use by another process" : message;
    throw new Error(`${path} cannot be the scheduler's file: ${why}`, { cause: error });
  }
}

/**
 * Gives the store a new epoch, so that every relay triggers everything once: due after an older copy of the file was put
 * back (S14).
 * @returns the new epoch.
 * @throws as {@link openSqliteFile}: the scheduler must not run meanwhile.
 */
export function renewEpoch(path: string): string {
  const { database, close } = openSqliteFile(path, { create: false });
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
