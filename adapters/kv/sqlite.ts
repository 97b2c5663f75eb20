import type { Clock, KeyValue } from "../../functions/ports/index.ts";
import type { SqliteFile } from "../sqlite/sqlite-file.ts";

/** Expired rows that nobody asked for again are removed at start and after this many writes. */
const SWEEP_EVERY = 1_000;

/** A key-value store in the scheduler's SQLite file. What both write at the same time is one commit. */
export function createSqliteKeyValue(file: SqliteFile, clock: Clock): KeyValue {
  let writes = 0;
  const sweep = () => ["delete expired values", clock.now()] as const;
  // Whatever it fails of, the next value fails of as well, and that is told.
  file.write([sweep()]).catch(() => {});
  return {
    flags: { durable: true, stalenessMs: 0 },
    get: (key) => file.value(key, clock.now()),
    async set(key, value, { expireInMs }) {
      const put = ["put value", key, value, clock.now() + expireInMs] as const;
      await file.write(++writes % SWEEP_EVERY === 0 ? [put, sweep()] : [put]);
    },
    delete: (key) => file.write([["delete value", key]]),
  };
}
