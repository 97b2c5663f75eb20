import { backoffMs, type Manifest } from "../../../functions/contract/index.ts";
import type { Clock, Logger } from "../../../functions/ports/index.ts";
import { DELIVERY_BACKOFF } from "../deliver/delivery-backoff.ts";
import type { Ingress } from "../deliver/ingress.ts";
import { messageOf } from "../message.ts";
import { createPause } from "../pause.ts";
import { type Adoption, manifestSeen, revisionTold } from "./adoption.ts";
import { type Fetched, fetchManifest } from "./manifest.ts";
import { planWatches } from "./plan.ts";

/** How often the functions are asked what they declare. */
export const MANIFEST_EVERY_MS = 60_000;
/** How often at least while they give no answer at all: this question touches no store, and its answer ends all other waits. */
export const AWAY_EVERY_MS = 1_000;

export type RevisionsOptions = {
  ingress: Ingress;
  clock: Clock;
  logger: Logger;
  random: () => number;
  /** Told of each manifest that is fetched. */
  onManifest?: ((manifest: Manifest) => void) | undefined;
  /** The manifest that the relay goes by from now on. */
  onAdopted(manifest: Manifest): void;
};

/**
 * Follows what the functions declare (R12): until there is a manifest as often as deliveries are retried, then every minute;
 * and whenever they give no answer, every second until they do.
 */
export interface Revisions {
  /** Asks now. Resolves when that was answered, or was not. */
  ask(): Promise<void>;
  /** Something else was not answered. */
  away(): void;
  /** The revision that an answer of the ingress told. */
  told(revision: string): void;
  stop(): void;
  status(): { revision?: string; error?: string };
}

export function followRevisions(options: RevisionsOptions): Revisions {
  const { ingress, clock, logger, random, onAdopted } = options;
  const pause = createPause(clock);
  let state: Adoption = {};
  let fetched: Fetched | undefined;
  let error: string | undefined = "the manifest was not fetched yet";
  let underWay: Promise<void> | undefined;
  let stopped = false;

  async function follow(): Promise<void> {
    for (let failures = 0; !stopped; ) {
      await ask();
      failures = error === undefined ? 0 : failures + 1;
      if (!stopped) await ingress.presence.wait(pause, waitMs(Math.max(0, failures - 1)));
    }
  }

  function waitMs(failures: number): number {
    const { isAway } = ingress.presence;
    if (state.adopted && !isAway) return MANIFEST_EVERY_MS;
    const maxMs = isAway ? AWAY_EVERY_MS : DELIVERY_BACKOFF.maxMs;
    return backoffMs({ ...DELIVERY_BACKOFF, maxMs }, failures, random());
  }

  function ask(): Promise<void> {
    underWay ??= fetchOnce().finally(() => {
      underWay = undefined;
    });
    return underWay;
  }

  async function fetchOnce(): Promise<void> {
    try {
      const answer = await fetchManifest(ingress, fetched);
      planWatches(answer.manifest); // one that cannot be planned is not adopted
      fetched = answer;
      options.onManifest?.(answer.manifest); // at once: functions of a new revision may run before it is adopted
      error = undefined;
      see(manifestSeen(state, answer.manifest, clock.monotonic()));
    } catch (cause) {
      const message = messageOf(cause);
      if (message !== error && !stopped) logger.warn("no manifest, trying again", { error: message });
      error = message;
    }
  }

  function see(next: Adoption): void {
    const { adopted, candidate } = state;
    state = next;
    if (stopped) return;
    if (next.candidate && next.candidate.manifest !== candidate?.manifest)
      logger.info("another manifest, adopted if it stays", { revision: next.candidate.manifest.revision });
    if (next.adopted && next.adopted !== adopted) onAdopted(next.adopted);
  }

  void follow();
  return {
    ask,
    away: pause.cut,
    told(revision) {
      state = revisionTold(state, revision, clock.monotonic());
    },
    stop() {
      stopped = true;
      pause.cut();
    },
    status: () => ({
      ...(state.adopted && { revision: state.adopted.revision }),
      ...(error === undefined ? undefined : { error }),
    }),
  };
}
