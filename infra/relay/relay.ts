import { type Manifest, objectName, type WakeAnswer } from "../../functions/contract/index.ts";
import type { Clock, KubeTransport, Logger, Steps } from "../../functions/ports/index.ts";
import { createDelivery } from "./deliver/deliver.ts";
import { createIngress, type IngressFetch } from "./deliver/ingress.ts";
import { createMapper } from "./map/mapper.ts";
import { createOutbox } from "./outbox/outbox.ts";
import { createPause } from "./pause.ts";
import { followRevisions } from "./plan/revisions.ts";
import type { Hit } from "./store/observe.ts";
import type { Happened } from "./store/store.ts";
import type { WatcherStatus } from "./watch/watcher.ts";
import { createWatches } from "./watch/watches.ts";
import { createWatchdog } from "./watchdog/watchdog.ts";

export type RelayOptions = {
  /** The cluster's name: part of every key. */
  cluster: string;
  transport: KubeTransport;
  /** The functions' own app, or `fetch` with their base URL. */
  ingress: IngressFetch;
  /** What requests are signed with; several while one is being replaced. */
  secrets: readonly string[];
  clock: Clock;
  logger: Logger;
  /** In [0, 1), as `Math.random`. */
  random: () => number;
  /** Told of each manifest that is fetched. */
  onManifest?: (manifest: Manifest) => void;
  steps?: Steps;
};

export type RelayStatus = {
  ready: boolean;
  /** Why it is not ready. */
  reasons: string[];
  /** The manifest that the watches come from; absent before it was fetched. */
  revision?: string;
  watches: WatcherStatus[];
  outbox: { pending: number; dropped: number };
};

export interface Relay {
  /** Resolves when every watch has completed its first list. Stays pending if the relay is stopped before. */
  synced: Promise<void>;
  /** Ends the watches, then delivers what is pending within 5 s. */
  stop(): Promise<void>;
  status(): RelayStatus;
}

/** How long a relay that is being stopped goes on delivering. */
export const STOP_GRACE_MS = 5_000;

/**
 * Lists and watches what the functions declare, delivers the keys that changes lead to, and sees to it that the scheduler is
 * woken. It never gives up: whatever fails is retried and shown in the status.
 * @example
 * const relay = startRelay({ cluster: "home", transport, ingress, secrets, clock, logger, random: Math.random });
 * await relay.synced;
 */
export function startRelay(options: RelayOptions): Relay {
  const { clock, logger } = options;
  const ingress = createIngress(options);
  const outbox = createOutbox();
  let manifest: Manifest | undefined;
  let epoch: string | undefined;
  let unsendable = 0;

  const mapper = createMapper({ ...options, ingress });
  const watches = createWatches({ ...options, mapper, emit, onRenewed: () => delivery.open() });
  const watchdog = createWatchdog({ ...options, ingress, onAnswer });
  const delivery = createDelivery({
    ...{ ...options, outbox, ingress },
    onAnswer(answer) {
      watchdog.triggersTold(answer);
      onAnswer(answer);
    },
    refetch: () => revisions.ask(),
    isDeclared: (controller) => declared(controller) !== undefined,
  });
  const revisions = followRevisions({
    ...{ ...options, ingress },
    onAdopted(adopted) {
      manifest = adopted;
      watchdog.expectUnseen(adopted.controllers.some(({ unseenTriggers }) => unseenTriggers));
      watches.adopt(adopted);
    },
  });
  watchdog.wake();

  function declared(controller: string) {
    return manifest?.controllers.find(({ name }) => name === controller);
  }

  /** What every answer of the ingress says. */
  function onAnswer(answer: WakeAnswer): void {
    revisions.told(answer.revision);
    const another = epoch !== undefined && answer.epoch !== epoch;
    epoch = answer.epoch;
    if (!another) return;
    logger.warn("the scheduler's store is another one, triggering everything", { epoch });
    watches.all("triggered again: the scheduler's store was replaced");
  }

  function emit(hits: readonly Hit[], { lane, cause, uid, bulk }: Happened): void {
    for (const { key, relation } of hits) {
      // The API server takes a few names that the wire does not; one would make the ingress refuse its whole batch.
      if (!objectName.safeParse(key.name).success) {
        unsendable++;
        logger.error("a name cannot be sent, dropped", { ...key, cause });
        continue;
      }
      // The uid is the watched object's: the key's own only where that is the primary.
      const own = relation.mapping.by === "self" && uid !== undefined && uid.length <= 64;
      // What is looked at again is looked at by the revision that is declared (F7). Older functions tell and take none.
      const revision = lane === "resync" ? declared(key.controller)?.revision : undefined;
      outbox.add({
        ...{ ...key, reason: bulk ? "bulk" : relation.reason, lane, cause: cause.slice(0, 512) },
        ...(own && { uid }),
        ...(revision !== undefined && { revision }),
      });
    }
    delivery.wake();
  }

  return {
    synced: watches.synced,
    async stop() {
      watches.stop();
      mapper.stop();
      revisions.stop();
      watchdog.stop();
      const grace = createPause(clock);
      await Promise.race([delivery.flush(), grace.wait(STOP_GRACE_MS)]);
      grace.cut();
      delivery.stop();
      ingress.stop();
    },
    status() {
      const statuses = watches.statuses();
      const { pending, dropped, unknownControllers, error } = delivery.status();
      const { revision, error: manifestError } = revisions.status();
      const { error: wakeError } = watchdog.status();
      const reasons = [
        ...(manifestError === undefined ? [] : [`manifest: ${manifestError}`]),
        ...statuses.flatMap((each) => {
          const where = `${each.resource}${each.namespace === undefined ? "" : ` in ${each.namespace}`}`;
          if (each.error !== undefined) return [`watch of ${where}: ${each.error}`];
          return each.synced ? [] : [`watch of ${where}: not listed yet`];
        }),
        ...unknownControllers.map((name) => `controller ${name}: unknown to the functions`),
        ...mapper.status().errors.map((each) => `mapping ${each}`),
        ...(error === undefined ? [] : [`delivery: ${error}`]),
        ...(wakeError === undefined ? [] : [`wake: ${wakeError}`]),
      ];
      return {
        ready: reasons.length === 0,
        reasons,
        ...(revision === undefined ? undefined : { revision }),
        watches: statuses,
        outbox: { pending, dropped: dropped + unsendable },
      };
    },
  };
}
