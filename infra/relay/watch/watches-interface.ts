import type { Manifest } from "../../../functions/contract/index.ts";
import type { CheckpointState } from "../checkpoint/state.ts";
import type { Key } from "../map/map.ts";
import type { WatcherStatus } from "./watcher.ts";

/** The watches of the manifest that the relay goes by. */
export interface Watches {
  /** Resolves when every watch has completed its first list. */
  synced: Promise<void>;
  /**
   * Starts the watches that a manifest adds, ends those that it drops, lists anew those with new relations, and leaves the
   * others alone. Then every key of a controller with another revision is told (R12).
   */
  adopt(manifest: Manifest): void;
  /** Tells every key again. */
  all(why: string): void;
  /** Goes on where another process stopped (R7). Before the first manifest is adopted. */
  restore(saved: Pick<CheckpointState, "declared" | "watches">): void;
  /**
   * Tells all that differs from what another relay had seen and told: for one that watched beside it (R7, R10).
   * @param told watches by id of which all that came since then was told already.
   */
  compare(saved: Pick<CheckpointState, "declared" | "watches">, told?: ReadonlySet<string>): void;
  views(): WatchView[];
  /** Whether a key may be of an object that is watched here: it is known, or not all are yet. */
  mayHold(key: Key): boolean;
  /** All that was seen and told. Undefined while a manifest's keys are being told, which no checkpoint can say. */
  snapshot(): Pick<CheckpointState, "declared" | "watches"> | undefined;
  /** Grows with every change of what {@link snapshot} says, but for cursors. */
  changes(): number;
  stop(): void;
  statuses(): WatcherStatus[];
}

/** How far a watch has seen. */
export type WatchView = {
  id: string;
  /** The manifest's that it comes from. */
  revision?: string | undefined;
  /** Since when each change of an object was told; absent before its first list. */
  began?: string | undefined;
  /** The newest version seen. */
  cursor?: string | undefined;
  /** Versions mean nothing: the API server went back in time (R14). */
  rewound: boolean;
};
