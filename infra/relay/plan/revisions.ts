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

/** Follows what the functions declare (R12): until there is a manifest as often as deliveries are retried, then every minute. */
export interface Revisions {
  /** Asks now. Resolves when that was answered, or was not. */
  ask(): Promise<void>;
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
    for (let failures = 0; !stopped; failures++) {
      await ask();
      const first = backoffMs(DELIVERY_BACKOFF, failures, random());
      if (!stopped) await pause.wait(state.adopted ? MANIFEST_EVERY_MS : first);
    }
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
