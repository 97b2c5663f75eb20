import type { Controller } from "./controller.ts";
import { exists, forget, type Key, type Moment } from "./key.ts";

const DAYS_30_MS = 30 * 86_400_000;

/** When a parked entry is deleted (S17); a run keeps it until it is settled. */
export const deletedAt = (key: Key): number =>
  key.parkedAt === null || key.run ? Number.POSITIVE_INFINITY : key.parkedAt + DAYS_30_MS;

/** S17: since when an entry has been without its controller. Returns what has to be noted. */
export function park(controllers: Iterable<Controller>, { now, seen }: Moment): string[] {
  const noted: string[] = [];
  for (const { name, isDeclared, keys } of controllers)
    for (const key of keys.filter(exists)) {
      if (isDeclared) key.parkedAt = null;
      else if (key.parkedAt === null) {
        key.parkedAt = now.at;
        key.wasParked = true;
        seen("S17 an entry is parked");
        noted.push(`parked ${name}`);
      }
    }
  return noted;
}

/** S17: 30 days. Returns what has to be noted. */
export function expire(keys: Iterable<Key>, { now, seen }: Moment): string[] {
  const over = [...keys].filter((key) => deletedAt(key) <= now.at);
  for (const key of over) {
    seen("S17 a parked entry is deleted after 30 days");
    forget(key);
  }
  return over.map(({ ref }) => `deleted ${ref.controller}`);
}

/** S17: by command, but for what may still run. Returns what has to be noted. */
export function deleteParked({ name, isDeclared, keys }: Controller, { seen }: Moment): string[] {
  const parked = isDeclared ? [] : keys.filter((key) => exists(key) && !key.run);
  for (const key of parked) {
    seen("S17 a parked entry is deleted by command");
    forget(key);
  }
  return parked.map(() => `deleted ${name}`);
}
