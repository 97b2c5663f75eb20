import type { ObjectStorage } from "../cloudflare-platform.ts";

/** The version of the tables. A store of a later one is refused. */
export const SCHEMA_VERSION = 2;
/** In version 1 one object had the keys of all clusters. */
const ONE_FOR_ALL = 1;

export type Tables = {
  /** Made with the store (S14). */
  readonly epoch: string;
  /** The one whose keys are here (S21). */
  readonly cluster: string;
  /** Whether the cluster's name is kept where all of them are. */
  readonly isListed: boolean;
};

/**
 * The tables of an object.
 * @param cluster for which they are created where they are absent. Without one nothing is created.
 * @returns undefined where there are none.
 * @throws Error when they are of a later schema version.
 */
export function openTables(storage: ObjectStorage, cluster?: string): Tables | undefined {
  const version = versionOf(storage);
  if (version === undefined) {
    if (cluster === undefined) return undefined;
    create(storage, cluster);
  } else if (version > SCHEMA_VERSION)
    throw new Error(`the store has schema version ${version}; this release knows ${SCHEMA_VERSION} and older`);
  const isListed = meta(storage, "listed") === "yes";
  return { epoch: meta(storage, "epoch"), cluster: meta(storage, "cluster"), isListed };
}

/** From now on the cluster's name is kept elsewhere too. */
export function markListed(storage: ObjectStorage): void {
  storage.sql.exec("INSERT OR REPLACE INTO meta (name, value) VALUES ('listed', 'yes')");
}

/** Whether this is the object that had the keys of all clusters. Relays find new epochs elsewhere: nothing of it is needed. */
export const isOneForAll = (storage: ObjectStorage): boolean => versionOf(storage) === ONE_FOR_ALL;

function versionOf(storage: ObjectStorage): number | undefined {
  const tables = one(storage, "SELECT name FROM sqlite_master WHERE name = 'meta'");
  return tables === undefined ? undefined : Number(meta(storage, "schema"));
}

const meta = (storage: ObjectStorage, name: string): string =>
  String(one(storage, "SELECT value FROM meta WHERE name = ?", name));

const one = (storage: ObjectStorage, query: string, ...bindings: string[]): unknown =>
  [...storage.sql.exec(query, ...bindings).raw()][0]?.[0];

function create(storage: ObjectStorage, cluster: string): void {
  storage.transactionSync(() => {
    for (const table of [
      "meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
      `entry (key TEXT PRIMARY KEY, wave INTEGER NOT NULL, queue INTEGER NOT NULL, place REAL NOT NULL,
        written REAL NOT NULL, special INTEGER NOT NULL, entry TEXT NOT NULL) WITHOUT ROWID`,
      "wave (id INTEGER PRIMARY KEY, entries TEXT NOT NULL)",
      "line (name TEXT PRIMARY KEY, parked_at REAL NOT NULL) WITHOUT ROWID",
    ])
      storage.sql.exec(`CREATE TABLE ${table}`);
    storage.sql.exec(
      "INSERT INTO meta (name, value) VALUES ('schema', ?), ('epoch', ?), ('cluster', ?)",
      ...[String(SCHEMA_VERSION), crypto.randomUUID(), cluster],
    );
  });
}
