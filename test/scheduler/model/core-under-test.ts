import { noAnswer, step } from "../../../adapters/scheduler/core.ts";
import { startTime, tick } from "../../../adapters/scheduler/logical-time.ts";
import { startableAt } from "../../../adapters/scheduler/place.ts";
import { LEASE_GRACE_MS } from "../../../adapters/scheduler/start.ts";
import { State } from "../../../adapters/scheduler/state.ts";
import { wakeInMs } from "../../../adapters/scheduler/wake.ts";

/** What the model is held against: the real core, or a mutated copy of it. */
export type CoreUnderTest = {
  step: typeof step;
  startableAt: typeof startableAt;
  wakeInMs: typeof wakeInMs;
  noAnswer: typeof noAnswer;
  LEASE_GRACE_MS: number;
  State: typeof State;
  startTime: typeof startTime;
  tick: typeof tick;
};

export const core: CoreUnderTest = {
  ...{ step, startableAt, wakeInMs, noAnswer, LEASE_GRACE_MS },
  ...{ State, startTime, tick },
};
