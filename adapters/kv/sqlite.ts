import type { Clock, KeyValue } from "../../functions/ports/index.ts";
import type { SqliteFile } from "../sqlite-file.ts";

/** Expired rows that nobody asked for again are removed at start and after this many writes. */
const SWEEP_EVERY = 1_000;

/** A key-value store in the scheduler's SQLite file. */
export function createSqliteKeyValue({ database }: SqliteFile, clock: Clock): KeyValue {
  const read = database.prepare("SELECT value FROM kv WHERE key = ? AND expires_at > ?");
  const write = database.prepare(
    "INSERT INTO kv (key, value, expires_at) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at",
  );
  const remove = database.prepare("DELETE FROM kv WHERE key = ?");
  const sweep = database.prepare("DELETE FROM kv WHERE expires_at <= ?");
  let writes = 0;
  sweep.run(clock.now());
  return {
    flags: { durable: true, stalenessMs: 0 },
    async get(key) {
      return (read.get(key, clock.now()) as { value: string } | undefined)?.value;
    },
    async set(key, value, { expireInMs }) {
      if (++writes % SWEEP_EVERY === 0) sweep.run(clock.now());
      write.run(key, value, clock.now() + expireInMs);
    },
    async delete(key) {
      remove.run(key);
    },
  };
}
