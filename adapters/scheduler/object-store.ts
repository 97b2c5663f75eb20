/**
 * The rows of a Durable Object. Each row written is paid for, whatever its size, so states of running keys that come
 * together, a wave's leases above all, are one row of `wave`. Every row says which wave was the last before it: a later
 * wave's state of a key stands instead of its row, and a key without a row is in no wave any more. So a wave's row that a
 * crash leaves behind speaks only for keys that were not settled.
 * @module
 */
import type { ObjectStorage } from "../cloudflare-platform.ts";
import type { Entry } from "./entry.ts";
import type { Changes } from "./state.ts";
import type { Store } from "./store.ts";

/** The version of the tables. A store of a later one is refused. */
export const SCHEMA_VERSION = 1;

/** A wave costs two rows, its own and the deletion of it: from three keys on it is cheaper than a row each. */
const SMALLEST_WAVE = 3;
/** A value may have 2 MB: the longest entries have 2 kB. */
const MOST_IN_A_VALUE = 500;

const PUT = `INSERT INTO entry (key, wave, entry) SELECT value->>0, ?1, value->1 FROM json_each(?2) WHERE true
  ON CONFLICT (key) DO UPDATE SET wave = excluded.wave, entry = excluded.entry`;

/**
 * Opens the store in an object's SQLite, creates it where absent.
 * @throws Error when it is of a later schema version.
 */
export function openObjectStore(storage: ObjectStorage): Store {
  return new ObjectStore(storage);
}

class ObjectStore implements Store {
  readonly durable = true;
  readonly epoch: string;
  readonly #storage: ObjectStorage;
  /** Keys that have a row. */
  readonly #rows = new Set<string>();
  /** Whose newest state is not in their row, but in that of a wave. */
  readonly #waveOf = new Map<string, number>();
  /** How many keys' newest states a wave's row still holds. */
  readonly #sizes = new Map<number, number>();
  #lastWave = 0;

  constructor(storage: ObjectStorage) {
    this.#storage = storage;
    this.epoch = openTables(storage);
  }

  load(): Iterable<[string, Entry]> {
    const entries = new Map<string, Entry>();
    const writtenAfter = new Map<string, number>();
    for (const [key, wave, entry] of this.#read<[string, number, string]>("SELECT key, wave, entry FROM entry")) {
      this.#rows.add(key);
      entries.set(key, JSON.parse(entry));
      writtenAfter.set(key, wave);
      this.#lastWave = Math.max(this.#lastWave, wave);
    }
    for (const [wave, text] of this.#read<[number, string]>("SELECT id, entries FROM wave ORDER BY id")) {
      this.#lastWave = Math.max(this.#lastWave, wave);
      for (const [key, entry] of JSON.parse(text) as [string, Entry][])
        if ((writtenAfter.get(key) ?? wave) < wave) {
          entries.set(key, entry);
          this.#hold(key, wave);
        }
    }
    return entries;
  }

  commit(changes: Changes): void {
    const { waves, puts, removals } = this.#sort(changes);
    const emptied = this.#emptied(changes);
    const { sql } = this.#storage;
    let id = this.#lastWave;
    this.#storage.transactionSync(() => {
      for (const wave of waves) sql.exec("INSERT INTO wave (id, entries) VALUES (?, ?)", ++id, JSON.stringify(wave));
      for (const part of inParts(puts)) sql.exec(PUT, id, JSON.stringify(part));
      for (const part of inParts(removals)) remove(sql, "entry", "key", part);
      if (emptied.length > 0) remove(sql, "wave", "id", emptied);
    });
    for (const key of changes.keys()) this.#release(key);
    for (const [at, wave] of waves.entries()) for (const [key] of wave) this.#hold(key, this.#lastWave + at + 1);
    for (const [key] of puts) this.#rows.add(key);
    for (const key of removals) this.#rows.delete(key);
    this.#lastWave = id;
  }

  close(): void {}

  /** What goes into rows of waves, into rows of its own, and out. */
  #sort(changes: Changes): { waves: [string, Entry][][]; puts: [string, Entry][]; removals: string[] } {
    const removals: string[] = [];
    const puts: [string, Entry][] = [];
    const running: [string, Entry][] = [];
    for (const [key, entry] of changes)
      if (!entry) removals.push(key);
      else (entry.lease && this.#rows.has(key) ? running : puts).push([key, entry]);
    if (running.length < SMALLEST_WAVE) return { waves: [], puts: [...puts, ...running], removals };
    return { waves: inParts(running), puts, removals };
  }

  /** The waves that hold nothing once these keys have changed. */
  #emptied(changes: Changes): number[] {
    const left = new Map<number, number>();
    for (const key of changes.keys()) {
      const wave = this.#waveOf.get(key);
      if (wave !== undefined) left.set(wave, (left.get(wave) ?? this.#sizes.get(wave)!) - 1);
    }
    return [...left].filter(([, size]) => size === 0).map(([wave]) => wave);
  }

  #hold(key: string, wave: number): void {
    this.#release(key);
    this.#waveOf.set(key, wave);
    this.#sizes.set(wave, (this.#sizes.get(wave) ?? 0) + 1);
  }

  #release(key: string): void {
    const wave = this.#waveOf.get(key);
    if (wave === undefined) return;
    this.#waveOf.delete(key);
    const size = this.#sizes.get(wave)! - 1;
    if (size === 0) this.#sizes.delete(wave);
    else this.#sizes.set(wave, size);
  }

  #read<Row extends unknown[]>(query: string): Iterable<Row> {
    return this.#storage.sql.exec(query).raw() as Iterable<Row>;
  }
}

function remove(sql: ObjectStorage["sql"], table: string, column: string, values: readonly unknown[]): void {
  sql.exec(`DELETE FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values));
}

function inParts<T>(all: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < all.length; at += MOST_IN_A_VALUE) parts.push(all.slice(at, at + MOST_IN_A_VALUE));
  return parts;
}

/** @returns the store's epoch. */
function openTables(storage: ObjectStorage): string {
  const one = (query: string) => [...storage.sql.exec(query).raw()][0]?.[0];
  if (one("SELECT name FROM sqlite_master WHERE name = 'meta'") === undefined) create(storage);
  const version = Number(one("SELECT value FROM meta WHERE name = 'schema'"));
  if (version > SCHEMA_VERSION)
    throw new Error(`the store has schema version ${version}; this release knows ${SCHEMA_VERSION} and older`);
  return String(one("SELECT value FROM meta WHERE name = 'epoch'"));
}

function create(storage: ObjectStorage): void {
  storage.transactionSync(() => {
    for (const table of [
      "meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
      "entry (key TEXT PRIMARY KEY, wave INTEGER NOT NULL, entry TEXT NOT NULL) WITHOUT ROWID",
      "wave (id INTEGER PRIMARY KEY, entries TEXT NOT NULL)",
    ])
      storage.sql.exec(`CREATE TABLE ${table}`);
    const [schema, epoch] = [String(SCHEMA_VERSION), crypto.randomUUID()];
    storage.sql.exec("INSERT INTO meta (name, value) VALUES ('schema', ?), ('epoch', ?)", schema, epoch);
  });
}
