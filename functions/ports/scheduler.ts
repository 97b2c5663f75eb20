import type { ObjectRef, Trigger } from "../contract/index.ts";

/** The durable scheduler: one entry per key, woken by time, settled by answers. */
export interface Scheduler {
  readonly flags: {
    /** Whether an accepted trigger survives the process (S3). */
    durable: boolean;
    /** Who wakes it when an entry is due. */
    timer: "platform" | "relay";
  };
  /**
   * Merges triggers into their entries. Resolves when they are committed, never before (S3).
   * @throws when the store cannot commit: the batch has to be delivered again, though some of its keys may have run.
   */
  accept(cluster: string, triggers: readonly Trigger[]): Promise<Accepted>;
  /**
   * Looks again at what is due, and sets its timer anew: what repairs a timer that its platform lost (S4), and is the timer
   * where there is none.
   * @throws when the store cannot commit what changes.
   */
  wake(cluster: string): Promise<Accepted>;
  /** What it holds, for views and tests. */
  inspect(key: ObjectRef): EntryView | undefined;
  /** Controllers in clusters of which one is no longer declared (S17): nothing of theirs starts before both are again. */
  parked(): ParkedLine[];
  /**
   * Deletes the parked entries of a controller in a cluster, but for keys whose run may still go on. Resolves with how many,
   * once that is committed.
   * @throws when both are declared, or the store cannot commit.
   */
  deleteParked(line: { cluster: string; controller: string }): Promise<number>;
  /** How much it holds. */
  size(): { entries: number; running: number };
  /** Starts no run from now on. Resolves when the running ones have been settled. */
  drain(): Promise<void>;
  /**
   * Lets go of the store. Runs in this process that still go on are cut off: they are no failures, and run again when the
   * store is opened next.
   */
  close(): Promise<void>;
}

export type Accepted = {
  /**
   * Milliseconds until there is something to do, null with nothing scheduled. Where the relay is the timer, at most 1,000
   * while a run is in flight, for what its answer asks for (R12).
   */
  nextWakeInMs: number | null;
  /** Made with the store (S14). */
  epoch: string;
  /** The places of triggers that were refused, since the shard has no room for further keys (S21). */
  full?: readonly number[];
};

/** Entries of a controller in a cluster that are kept though one of the two is not declared (S17). */
export type ParkedLine = {
  cluster: string;
  controller: string;
  entries: number;
  /** Milliseconds until they are deleted. */
  deletedInMs: number;
};

/** One key's entry, as a person would ask for it. */
export type EntryView = {
  key: ObjectRef;
  /** Milliseconds until it may start; null while it runs with nothing waiting behind the run. */
  dueInMs: number | null;
  running: boolean;
  reasons: readonly string[];
  lane: "live" | "resync";
  attempt: number;
  /** Milliseconds until the retry, null out of backoff. */
  backoffInMs: number | null;
  uid?: string;
  /** Whether S19 spaces its starts. */
  overBudget: boolean;
  /** Milliseconds until the pause of its controller in its cluster ends, 0 while one run probes (S8); null out of a pause. */
  pausedForMs: number | null;
  /** Milliseconds until it is deleted, where its controller or its cluster is no longer declared (S17); else null. */
  deletedInMs: number | null;
};
