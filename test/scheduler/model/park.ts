import { exists, forget, type Key, type Moment } from "./key.ts";
import type { Line } from "./line.ts";
import type { Shard } from "./shard.ts";

const DAYS_30_MS = 30 * 86_400_000;

/** When what waits of a parked line is deleted (S17); a run keeps its entry until it is settled. */
export const deletedAt = ({ parkedAt, keys }: Line): number =>
  parkedAt === null || !keys.some(isLeft) ? Number.POSITIVE_INFINITY : parkedAt + DAYS_30_MS;

const isLeft = (key: Key) => exists(key) && !key.run;

/** S17: since when a line has entries without being declared, and their end after 30 days. Returns what has to be noted. */
export function park({ lines }: Shard, declaredClusters: ReadonlySet<string>, { now, seen }: Moment): string[] {
  const noted: string[] = [];
  for (const line of lines.values()) {
    const { length } = line.entries();
    if (line.isDeclared || length === 0) {
      if (line.parkedAt !== null)
        seen(
          line.isDeclared
            ? "S17 a line that is declared again is not parked"
            : "S17 a line without entries is not parked",
        );
      line.parkedAt = null;
      continue;
    }
    if (line.parkedAt === null) {
      line.parkedAt = now.at;
      const what = declaredClusters.has(line.cluster) ? "controller" : "cluster";
      seen(`S17 a line is parked whose ${what} is not declared`);
      noted.push(`parked ${line.name} ${length}`);
    } else seen("S17 since when a line is parked stands");
    for (const key of line.entries()) key.wasParked = true;
    noted.push(...expire(line, now.at, seen));
  }
  return noted;
}

/** S17: 30 days, all at once. */
function expire(line: Line, now: number, seen: Moment["seen"]): string[] {
  if (deletedAt(line) > now) return [];
  const over = line.keys.filter(isLeft);
  if (line.entries().length > over.length) seen("S17 after 30 days a run keeps its entry");
  else line.parkedAt = null;
  if (over.length > 1) seen("S17 after 30 days all entries of a line are deleted at once");
  seen("S17 parked entries are deleted after 30 days");
  for (const key of over) forget(key);
  return [`deleted ${line.name} ${over.length}`];
}

/** S17: by command, but for what may still run. Returns what has to be noted. */
export function deleteParked(line: Line, { seen }: Moment): string[] {
  const parked = line.isDeclared ? [] : line.keys.filter(isLeft);
  if (line.isDeclared && line.keys.some(isLeft)) seen("S17 the command deletes nothing of a line that is declared");
  if (parked.length === 0) return [];
  seen("S17 parked entries are deleted by command");
  for (const key of parked) forget(key);
  return [`deleted ${line.name} ${parked.length}`];
}
