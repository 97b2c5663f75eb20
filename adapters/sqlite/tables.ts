import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { EntryColumns, Op, Questions } from "./messages.ts";

const ENTRIES_A_PAGE = 1_000;

const OPS: Readonly<Record<Op[0], string>> = {
  "put entry": "INSERT OR REPLACE INTO entry (key, queue, place, written, special, entry) VALUES (?, ?, ?, ?, ?, ?)",
  "delete entry": "DELETE FROM entry WHERE key = ?",
  "put line": "INSERT OR REPLACE INTO line (name, parked_at) VALUES (?, ?)",
  "delete line": "DELETE FROM line WHERE name = ?",
  "put value": "INSERT OR REPLACE INTO kv (key, value, expires_at) VALUES (?, ?, ?)",
  "delete value": "DELETE FROM kv WHERE key = ?",
  "delete expired values": "DELETE FROM kv WHERE expires_at <= ?",
};
const VALUE = "SELECT value FROM kv WHERE key = ? AND expires_at > ?";
const ENTRIES = `SELECT key, queue, place, written, special,
  CASE WHEN typeof(entry) = 'text' AND json_valid(entry) THEN entry END AS entry
  FROM entry WHERE key > ? ORDER BY key LIMIT ${ENTRIES_A_PAGE}`;

/** What is written to an open database, and read of it. */
export class Tables {
  readonly #database: DatabaseSync;
  readonly #ops: Readonly<Record<Op[0], StatementSync>>;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #value: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    const prepared = Object.entries(OPS).map(([name, sql]) => [name, database.prepare(sql)]);
    this.#ops = Object.fromEntries(prepared) as Record<Op[0], StatementSync>;
    this.#begin = database.prepare("BEGIN IMMEDIATE");
    this.#commit = database.prepare("COMMIT");
    this.#value = database.prepare(VALUE);
  }

  /** All or nothing, and durable when it returns. @throws when nothing of it was written. */
  commit(ops: readonly Op[]): void {
    try {
      this.#begin.run();
      for (const [op, ...values] of ops) this.#ops[op].run(...values);
      this.#commit.run();
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  value({ key, now }: Questions["value"]["asked"]): Questions["value"]["answer"] {
    const value = this.#value.get(key, now)?.value;
    return typeof value === "string" ? value : null;
  }

  entries({ after }: Questions["entries"]["asked"]): EntryColumns {
    const page = this.#database.prepare(ENTRIES).all(after);
    return {
      keys: page.map(({ key }) => key as string),
      queues: page.map(({ queue }) => queue),
      places: page.map(({ place }) => place),
      written: page.map(({ written }) => written),
      special: page.map(({ special }) => special),
      texts: page.map(({ entry }) => entry as string | null),
    };
  }

  lines(): Questions["lines"]["answer"] {
    const rows = this.#database.prepare("SELECT name, parked_at FROM line").all();
    return rows.map(({ name, parked_at }) => [name, parked_at] as [string, number]);
  }

  close(): void {
    this.#database.close();
  }

  /** Some of SQLite's errors end a transaction, the others leave it open, and Node before 22.16 does not tell which. */
  #rollBack(): void {
    try {
      this.#database.exec("ROLLBACK");
    } catch {
      // None was open.
    }
  }
}
