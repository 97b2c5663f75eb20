import type { Declared, Trigger } from "../../../functions/contract/index.ts";
import type { WatchPlan } from "../plan/plan.ts";
import type { ObjectRecord } from "../store/record.ts";

/** All that a relay knows, at one instant (R7). */
export type CheckpointState = {
  /** The scheduler's store that was told of it, where an answer said which. */
  epoch?: string;
  /** The cluster that was watched, where it may be told: versions and uids of another one mean nothing. */
  clusterUid?: string;
  /** The manifest whose keys were all told: they ran, are the scheduler's, or are pending here. */
  declared: Declared;
  watches: readonly SavedWatch[];
  /** What was not accepted yet. */
  pending: readonly Trigger[];
};

export type SavedWatch = {
  plan: WatchPlan;
  /** The newest version seen. */
  cursor?: string;
  /** Whether everything up to the cursor was seen, so that a watch can go on from there. */
  listed: boolean;
  /** Whether some of its records say nothing yet: then all are told of anew (R6, R14). */
  fresh: boolean;
  records: Iterable<readonly [id: string, record: Readonly<ObjectRecord>]>;
};
