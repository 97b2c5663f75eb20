import { accessSync, closeSync, constants, existsSync, openSync, readSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { DamagedFile, faultOf, isNoDatabase } from "./fault.ts";

/** The version of the tables in the file. A file of a later one is refused. */
export const SCHEMA_VERSION = 2;

const ENTRY = `CREATE TABLE entry (key TEXT PRIMARY KEY, queue INTEGER, place REAL, written REAL, special INTEGER,
  entry TEXT) WITHOUT ROWID`;
const LINE = "CREATE TABLE line (name TEXT PRIMARY KEY, parked_at REAL) WITHOUT ROWID";
const META = "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID";
const KV = "CREATE TABLE kv (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID";
const TABLES = ["meta", "entry", "line", "kv"];

/** What is in a file of ours, and in no other: a table, the epoch's row, an entry's text. */
const MARK = /CREATE TABLE entry \(key TEXT PRIMARY KEY|epoch[0-9a-f]{8}-[0-9a-f]{4}-4|\{"ref":\{"cluster":"/;
const MOST_LOOKED_AT = 1024 * 1024;

export type OpenDatabase = {
  readonly database: DatabaseSync;
  readonly epoch: string;
  /** How many entries of an earlier version's were dropped; absent where the file has this version's tables. */
  readonly dropped?: number;
};

/**
 * Opens the file, creates it where it is absent: WAL, `synchronous=FULL`, locked for whoever has it open. The entries of an
 * earlier version are dropped, and the epoch is a new one then.
 * @throws DamagedFile where a scheduler made it and it cannot be used any more.
 * @throws Error when it is of a later schema version, is not the scheduler's, or is in use.
 */
export function openDatabase(path: string, { create = true } = {}): OpenDatabase {
  let database: DatabaseSync | undefined;
  try {
    // SQLite would open it to read, and fail of that later without saying so.
    if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK);
    database = new DatabaseSync(path);
    // The lock is taken by the first access and kept until the file is closed: two schedulers would run a key twice.
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    const version = versionOf(database, path, create);
    if (version > 0) check(database, path);
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    const dropped = version === SCHEMA_VERSION ? undefined : makeTables(database, version);
    if (dropped === undefined) database.exec("BEGIN IMMEDIATE; ROLLBACK"); // whether it may be written
    return { database, epoch: epochOf(database, path), ...(version > 0 && dropped !== undefined && { dropped }) };
  } catch (error) {
    database?.close();
    if (isNoDatabase(error) && isMarked(path)) throw new DamagedFile(path, "its header is destroyed", { cause: error });
    throw faultOf(path, error);
  }
}

/** Gives the store another epoch. @returns it. */
export function replaceEpoch(database: DatabaseSync): string {
  const epoch = crypto.randomUUID();
  database.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES ('epoch', ?)").run(epoch);
  return epoch;
}

/** The version of the tables in it, 0 where it is empty. */
function versionOf(database: DatabaseSync, path: string, mayCreate: boolean): number {
  const tables = namesOfTables(database);
  const { user_version: version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
  if (version > SCHEMA_VERSION)
    throw new Error(`it has schema version ${version}; this release knows ${SCHEMA_VERSION} and older`);
  if (tables.size === 0 && version === 0 && mayCreate) return 0;
  if (version === 0 || !tables.has("meta") || !(tables.has("entry") || tables.has("kv")))
    throw new Error("no scheduler made it");
  const missing = TABLES.find((name) => !tables.has(name) && !(name === "line" && version === 1));
  if (missing !== undefined) throw new DamagedFile(path, `its table ${missing} is missing`);
  return version;
}

/** Reads the whole file: what is damaged would otherwise be found in the middle of a commit, or never. */
function check(database: DatabaseSync, path: string): void {
  const [found] = database.prepare("PRAGMA quick_check(1)").all() as { quick_check: string }[];
  if (found?.quick_check !== "ok")
    throw new DamagedFile(path, found?.quick_check.replaceAll("\n", " ") ?? "it is empty");
  const bad = "typeof(key) <> 'text' OR key NOT GLOB '?*/?*/*/?*' OR key GLOB '*/*/*/*/*'";
  if (database.prepare(`SELECT key FROM entry WHERE ${bad} LIMIT 1`).get())
    throw new DamagedFile(path, "an entry's key names no object");
}

function makeTables(database: DatabaseSync, version: number): number {
  database.exec("BEGIN IMMEDIATE");
  const entries = version > 0 ? countEntries(database) : 0;
  if (version > 0) database.exec("DROP TABLE entry");
  else database.exec(`${META}; ${KV}`);
  database.exec(`${ENTRY}; ${LINE}; PRAGMA user_version = ${SCHEMA_VERSION}`);
  replaceEpoch(database);
  database.exec("COMMIT");
  return entries;
}

function epochOf(database: DatabaseSync, path: string): string {
  const row = database.prepare("SELECT value FROM meta WHERE name = 'epoch'").get() as { value: unknown } | undefined;
  if (typeof row?.value !== "string") throw new DamagedFile(path, "its epoch is missing");
  return row.value;
}

function namesOfTables(database: DatabaseSync): Set<string> {
  const rows = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[];
  return new Set(rows.map(({ name }) => name));
}

function countEntries(database: DatabaseSync): number {
  return (database.prepare("SELECT count(*) AS entries FROM entry").get() as { entries: number }).entries;
}

/** Whether a file that is no database any more was the scheduler's. One of zeros has nothing that could be lost. */
function isMarked(path: string): boolean {
  if (!existsSync(path)) return false;
  const bytes = Buffer.alloc(MOST_LOOKED_AT);
  const file = openSync(path, "r");
  const length = readSync(file, bytes);
  closeSync(file);
  const looked = bytes.subarray(0, length);
  return looked.every((byte) => byte === 0) || MARK.test(looked.toString("latin1"));
}
