import type { Clock, KeyValue } from "../../functions/ports/index.ts";

/** A key-value store that forgets everything with its process. */
export function createMemoryKeyValue(clock: Clock): KeyValue {
  const values = new Map<string, { value: string; expiresAt: number }>();
  return {
    flags: { durable: false, stalenessMs: 0 },
    async get(key) {
      const found = values.get(key);
      if (found && found.expiresAt > clock.now()) return found.value;
      values.delete(key);
      return undefined;
    },
    async set(key, value, { expireInMs }) {
      values.set(key, { value, expiresAt: clock.now() + expireInMs });
    },
    async delete(key) {
      values.delete(key);
    },
  };
}
