import type { Clock } from "../../../functions/ports/index.ts";
import { createPause } from "../pause.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { CheckpointState } from "./state.ts";

/** How often is saved at most (R7). */
export const SAVE_EVERY_MS = 300_000;
/** How soon after the start: most of what it triggered was delivered by then. */
export const FIRST_SAVE_MS = 10_000;

export type SavingOptions = {
  checkpoint: Checkpoint;
  clock: Clock;
  /** Undefined while there is nothing that could be saved. */
  snapshot(): Promise<CheckpointState | undefined>;
  /** Grows when what a snapshot says has changed, but for cursors: those are worth no write of their own. */
  changes(): number;
};

/** Saves when something changed, at most every 5 minutes. */
export interface Saving {
  /** Saves once more, cursors too, trying until the checkpoint is stopped. Nothing is saved from then on. */
  finish(): Promise<void>;
}

export function keepSaved({ checkpoint, clock, snapshot, changes }: SavingOptions): Saving {
  const pause = createPause(clock);
  let saved: number | undefined;
  let stopped = false;

  async function keep(): Promise<void> {
    let waitMs = FIRST_SAVE_MS;
    while (!stopped) {
      await pause.wait(waitMs);
      if (stopped) return;
      waitMs = SAVE_EVERY_MS;
      const now = changes();
      if (now === saved && !checkpoint.isDue()) continue;
      const state = await snapshot();
      if (!state)
        waitMs = FIRST_SAVE_MS; // it can be made soon
      else if (await checkpoint.save(state)) saved = now;
    }
  }

  void keep();
  return {
    async finish() {
      stopped = true;
      pause.cut();
      const state = await snapshot();
      if (state) await checkpoint.saveLast(state);
    },
  };
}
