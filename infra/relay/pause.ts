import type { Clock } from "../../functions/ports/index.ts";

/** A wait that can be cut short: by a stop, or because there is no need to wait any longer. */
export interface Pause {
  /** Resolves after `ms`, or when it is cut. */
  wait(ms: number): Promise<void>;
  cut(): void;
}

export function createPause(clock: Clock): Pause {
  let cut = (): void => {};
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        const cancel = clock.setTimer(ms, resolve);
        cut = () => {
          cancel();
          resolve();
        };
      }),
    cut: () => cut(),
  };
}
