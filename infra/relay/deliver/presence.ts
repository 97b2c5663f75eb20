import type { Pause } from "../pause.ts";

export type PresenceEvents = {
  /** Nothing was answered: somebody should ask often whether they are back. */
  onAway(): void;
  /** They have answered again. */
  onBack(): void;
};

/**
 * Whether the functions are there, as far as requests tell. Whoever waits to try again waits here: the first answer to anything
 * ends all waits, so that a restart of the functions is not followed by the longest backoff of them.
 */
export interface Presence {
  /** @param answered by something in front of the functions, which is where their restart shows too. */
  failed(answered: boolean): void;
  answered(): void;
  /** Nothing was answered last. */
  readonly isAway: boolean;
  /** As `pause.wait`, but at most until the functions are back. */
  wait(pause: Pause, ms: number): Promise<void>;
  follow(events: PresenceEvents): void;
}

export function createPresence(): Presence {
  const waiting = new Set<Pause>();
  let state: "there" | "behind a failure" | "away" = "there";
  let events: PresenceEvents | undefined;
  return {
    failed(answered) {
      const before = state;
      state = answered ? "behind a failure" : "away";
      if (state === "away" && before !== "away") events?.onAway();
    },
    answered() {
      if (state === "there") return;
      state = "there";
      for (const pause of waiting) pause.cut();
      events?.onBack();
    },
    get isAway() {
      return state === "away";
    },
    async wait(pause, ms) {
      waiting.add(pause);
      await pause.wait(ms);
      waiting.delete(pause);
    },
    follow(followed) {
      events = followed;
    },
  };
}
