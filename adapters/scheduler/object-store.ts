/**
 * The rows of a Durable Object. Each row written is paid for, whatever its size, so states of running keys that come
 * together, a wave's leases above all, are one row of `wave`. Every row says which wave was the last before it: a later
 * wave's state of a key stands instead of its row, and a key without a row is in no wave any more. So a wave's row that a
 * crash leaves behind speaks only for keys that were not settled.
 *
 * A load reads where keys wait, and the texts of few entries: the others are read when their key is touched (S21).
 * @module
 */
import type { ObjectStorage } from "../cloudflare-platform.ts";
import type { Entry } from "./entry.ts";
import { QUEUES } from "./line.ts";
import type { Tables } from "./object-tables.ts";
import type { Changes, Row } from "./state.ts";
import type { Store } from "./store.ts";

/** A wave costs two rows, its own and the deletion of it: from three keys on it is cheaper than a row each. */
const SMALLEST_WAVE = 3;
/** A value may have 2 MB: the longest entries have 2 kB. */
const MOST_IN_A_VALUE = 500;

const PUT = `INSERT INTO entry (key, wave, queue, place, written, special, entry)
  SELECT value->>0, ?1, value->>1, value->>2, value->>3, value->>4, value->5 FROM json_each(?2) WHERE true
  ON CONFLICT (key) DO UPDATE SET wave = excluded.wave, queue = excluded.queue, place = excluded.place,
  written = excluded.written, special = excluded.special, entry = excluded.entry`;
const LOAD = "SELECT key, wave, queue, place, written, CASE WHEN special THEN entry END FROM entry";

type Loaded = [key: string, wave: number, queue: number, place: number, written: number, entry: string | null];

/** The store in an object's SQLite, whose tables are there. */
export class ObjectStore implements Store {
  readonly durable = true;
  readonly epoch: string;
  readonly #storage: ObjectStorage;
  /** States of keys that are not in a row of theirs, but in that of a wave: few, since they run. */
  readonly #inWaves = new Map<string, { readonly wave: number; readonly entry: Entry }>();
  /** How many keys' newest states a wave's row still holds. */
  readonly #sizes = new Map<number, number>();
  #lastWave = 0;

  constructor(storage: ObjectStorage, { epoch }: Tables) {
    this.#storage = storage;
    this.epoch = epoch;
  }

  *load(): Iterable<Row> {
    const waves = this.#read<[number, string]>("SELECT id, entries FROM wave ORDER BY id");
    const inWaves = new Map<string, { wave: number; entry: Entry }>();
    for (const [wave, text] of waves) {
      this.#lastWave = Math.max(this.#lastWave, wave);
      for (const [key, entry] of JSON.parse(text) as [string, Entry][]) inWaves.set(key, { wave, entry });
    }
    for (const [key, wave, queue, place, writtenAt, text] of this.#read<Loaded>(LOAD)) {
      this.#lastWave = Math.max(this.#lastWave, wave);
      const later = inWaves.get(key);
      if (later && wave < later.wave) {
        this.#hold(key, later.wave, later.entry);
        yield { key, queue: QUEUES[queue]!, place, writtenAt: later.entry.writtenAt, entry: later.entry };
      } else
        yield {
          key,
          queue: QUEUES[queue]!,
          place,
          writtenAt,
          ...(text !== null && { entry: JSON.parse(text) as Entry }),
        };
    }
  }

  parked(): ReadonlyMap<string, number> {
    return new Map(this.#read<[string, number]>("SELECT name, parked_at FROM line"));
  }

  read(key: string): Entry | undefined {
    const inWave = this.#inWaves.get(key);
    if (inWave) return inWave.entry;
    const [row] = this.#read<[string]>("SELECT entry FROM entry WHERE key = ?", key);
    return row && (JSON.parse(row[0]) as Entry);
  }

  /** The platform holds back what is sent until all that was written before is durable: waiting for it makes leases exact. */
  commit(changes: Changes): Promise<void> {
    const { entries, parked } = changes;
    if (entries.size + parked.size === 0) return Promise.resolve();
    const { waves, puts, removals } = this.#sort(entries);
    const emptied = this.#emptied(entries);
    const { sql } = this.#storage;
    let id = this.#lastWave;
    this.#storage.transactionSync(() => {
      for (const wave of waves) sql.exec("INSERT INTO wave (id, entries) VALUES (?, ?)", ++id, JSON.stringify(wave));
      for (const part of inParts(puts)) sql.exec(PUT, id, JSON.stringify(part.map(rowOf)));
      for (const part of inParts(removals)) remove(sql, "entry", "key", part);
      if (emptied.length > 0) remove(sql, "wave", "id", emptied);
      for (const [line, at] of parked) {
        if (at === null) remove(sql, "line", "name", [line]);
        else sql.exec("INSERT OR REPLACE INTO line (name, parked_at) VALUES (?, ?)", line, at);
      }
    });
    for (const key of entries.keys()) this.#release(key);
    for (const [at, wave] of waves.entries())
      for (const [key, entry] of wave) this.#hold(key, this.#lastWave + at + 1, entry);
    this.#lastWave = id;
    return this.#storage.sync();
  }

  close(): void {}

  /** What goes into rows of waves, into rows of its own, and out. */
  #sort(entries: Changes["entries"]): { waves: [string, Entry][][]; puts: [string, Entry][]; removals: string[] } {
    const removals: string[] = [];
    const puts: [string, Entry][] = [];
    const running: [string, Entry][] = [];
    for (const [key, entry] of entries)
      if (!entry) removals.push(key);
      else (entry.lease && this.#hasRow(key, entry) ? running : puts).push([key, entry]);
    if (running.length < SMALLEST_WAVE) return { waves: [], puts: [...puts, ...running], removals };
    return { waves: inParts(running), puts, removals };
  }

  /** A key that was not asked for before it started has none. One whose wait is not known for sure is looked up. */
  #hasRow(key: string, { lease }: Entry): boolean {
    if (this.#inWaves.has(key)) return true;
    return lease !== null && [...this.#read("SELECT 1 FROM entry WHERE key = ?", key)].length > 0;
  }

  /** The waves that hold nothing once these keys have changed. */
  #emptied(entries: Changes["entries"]): number[] {
    const left = new Map<number, number>();
    for (const key of entries.keys()) {
      const wave = this.#inWaves.get(key)?.wave;
      if (wave !== undefined) left.set(wave, (left.get(wave) ?? this.#sizes.get(wave)!) - 1);
    }
    return [...left].filter(([, size]) => size === 0).map(([wave]) => wave);
  }

  #hold(key: string, wave: number, entry: Entry): void {
    this.#release(key);
    this.#inWaves.set(key, { wave, entry });
    this.#sizes.set(wave, (this.#sizes.get(wave) ?? 0) + 1);
  }

  #release(key: string): void {
    const wave = this.#inWaves.get(key)?.wave;
    if (wave === undefined) return;
    this.#inWaves.delete(key);
    const size = this.#sizes.get(wave)! - 1;
    if (size === 0) this.#sizes.delete(wave);
    else this.#sizes.set(wave, size);
  }

  #read<Read extends unknown[]>(query: string, ...bindings: string[]): Iterable<Read> {
    return this.#storage.sql.exec(query, ...bindings).raw() as Iterable<Read>;
  }
}

function rowOf([key, entry]: [string, Entry]): unknown[] {
  const special = Number(entry.lease !== null || entry.refused !== null || entry.lost > 0);
  return [key, QUEUES.indexOf(entry.queue), entry.place, entry.writtenAt, special, entry];
}

function remove(sql: ObjectStorage["sql"], table: string, column: string, values: readonly unknown[]): void {
  sql.exec(`DELETE FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values));
}

function inParts<T>(all: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < all.length; at += MOST_IN_A_VALUE) parts.push(all.slice(at, at + MOST_IN_A_VALUE));
  return parts;
}
