import type { Now } from "../../../adapters/scheduler/core.ts";
import type { Entry } from "../../../adapters/scheduler/entry.ts";
import type { Changes, Row } from "../../../adapters/scheduler/state.ts";

/** What a store keeps: entries as text, and since when lines are parked (S17). */
export class Rows {
  readonly entries: Map<string, Entry>;
  readonly parked: Map<string, number>;

  constructor(entries = new Map<string, Entry>(), parked = new Map<string, number>()) {
    this.entries = entries;
    this.parked = parked;
  }

  commit(changes: Changes): void {
    for (const [key, entry] of changes.entries) {
      if (entry) this.entries.set(key, entry);
      else this.entries.delete(key);
    }
    for (const [line, at] of changes.parked) {
      if (at === null) this.parked.delete(line);
      else this.parked.set(line, at);
    }
  }

  /** As another process finds it. */
  stored(): Rows {
    const entries = new Map<string, Entry>(JSON.parse(JSON.stringify([...this.entries])));
    for (const entry of entries.values()) freeze(entry);
    return new Rows(entries, new Map(this.parked));
  }

  /** S18: the newest instant. */
  newest(): number {
    const written = [...this.entries.values()].map(({ writtenAt }) => writtenAt);
    return Math.max(0, ...written, ...this.parked.values());
  }

  /** What a load gives: with `all`, also the entries of which place and queue are enough. */
  *load(all: boolean): Iterable<Row> {
    for (const [key, entry] of this.entries) {
      const { queue, place, writtenAt } = entry;
      const isGiven = all || entry.lease !== null || entry.refused !== null || entry.lost > 0;
      yield { key, queue, place, writtenAt, ...(isGiven && { entry }) };
    }
  }
}

/** S18: the rest of a lease, on the monotonic clock. */
export function leaseEnd(now: Now): (entry: Entry) => number {
  return ({ lease }) => now.monotonic + Math.max(0, (lease?.until ?? now.at) - now.at);
}

/** S3: that an entry is changed in place is seen at once. */
export function freeze(entry: Entry | null): void {
  if (!entry) return;
  const { ref, reasons, lease, refused } = entry;
  for (const part of [entry, ref, reasons, lease, lease?.before, refused, refused?.pause])
    if (part) Object.freeze(part);
}
