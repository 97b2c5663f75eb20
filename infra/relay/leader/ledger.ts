import { isOlder } from "../watch/version.ts";

/**
 * What a standby holds of each pending key: the newest version that led to it, by watch. A leader whose checkpoint goes
 * beyond all of them has dealt with the key. Pure but for its own memory.
 */
export interface Ledger {
  /** An event of this version led to the key; an empty version is of an unknown time, and never dealt with. */
  saw(key: string, watch: string, version: string): void;
  /** These keys wait since before it was known what led to them: all that these cursors cover may have. */
  hold(keys: readonly string[], cursors: ReadonlyMap<string, string>): void;
  /** The keys that a relay has dealt with that saw all up to these cursors, and delivered what it saw. */
  covered(cursors: ReadonlyMap<string, string>): string[];
  forget(keys: Iterable<string>): void;
  clear(): void;
  readonly size: number;
}

export function createLedger(): Ledger {
  const versions = new Map<string, ReadonlyMap<string, string>>();
  return {
    saw(key, watch, version) {
      const before = versions.get(key);
      const known = before?.get(watch);
      // An empty one stays; of two that cannot be compared the later stands, which no cursor is beyond.
      const newer = known === undefined || (known !== "" && !isOlder(version, known)) ? version : known;
      versions.set(key, new Map(before).set(watch, version === "" ? "" : newer));
    },
    hold(keys, cursors) {
      for (const key of keys) versions.set(key, cursors);
    },
    covered: (cursors) =>
      [...versions].flatMap(([key, seen]) =>
        [...seen].every(([watch, version]) => isCovered(version, cursors.get(watch))) ? [key] : [],
      ),
    forget(keys) {
      for (const key of keys) versions.delete(key);
    },
    clear: () => versions.clear(),
    get size() {
      return versions.size;
    },
  };
}

/** Whether a relay at this cursor has seen this version. */
export function isCovered(version: string, cursor: string | undefined): boolean {
  if (version === "" || cursor === undefined) return false;
  return version === cursor || isOlder(version, cursor);
}
