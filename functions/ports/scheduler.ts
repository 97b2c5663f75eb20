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
   * @throws when the store cannot commit; then nothing of the batch is kept.
   */
  accept(cluster: string, triggers: readonly Trigger[]): Promise<Accepted>;
  /**
   * Looks again at what is due, and sets its timer anew: what repairs a timer that its platform lost (S4), and is the timer
   * where there is none.
   * @throws when the store cannot commit what changes.
   */
  wake(): Promise<Accepted>;
  /** What it holds, for views and tests. */
  inspect(key: ObjectRef): EntryView | undefined;
  /** Entries of controllers that are no longer declared (S17): they start nothing, and run once theirs is declared again. */
  parked(): EntryView[];
  /**
   * Deletes the parked entries of a controller, but for keys whose run may still go on. Resolves with how many, once that is
   * committed.
   * @throws when the controller is declared, or the store cannot commit.
   */
  deleteParked(controller: string): Promise<number>;
  /** How much it holds. */
  size(): { entries: number; running: number };
  /** Starts no run from now on. Resolves when the running ones have been settled. */
  drain(): Promise<void>;
  /** Lets go of the store. Runs that still go on are settled by whoever opens it next. */
  close(): void;
}

export type Accepted = {
  /**
   * Milliseconds until there is something to do, null with nothing scheduled. Where the relay is the timer, at most 1,000
   * while a run is in flight, for what its answer asks for (R12).
   */
  nextWakeInMs: number | null;
  /** Made with the store (S14). */
  epoch: string;
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
  /** Milliseconds until the pause of its controller ends, 0 while one run probes (S8); null out of a pause. */
  pausedForMs: number | null;
  /** Milliseconds until it is deleted, where its controller is no longer declared (S17); else null. */
  deletedInMs: number | null;
};
