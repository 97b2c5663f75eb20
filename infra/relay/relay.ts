import { backoffMs, type Manifest, objectName, type Trigger } from "../../functions/contract/index.ts";
import type { Clock, KubeTransport, Logger, Steps } from "../../functions/ports/index.ts";
import { createDelivery, DELIVERY_BACKOFF } from "./deliver.ts";
import { createIngress, type IngressFetch } from "./ingress.ts";
import { fetchManifest } from "./manifest.ts";
import type { Hit } from "./observe.ts";
import { createOutbox } from "./outbox.ts";
import { createPause } from "./pause.ts";
import { planWatches, type WatchPlan } from "./plan.ts";
import { createReferences } from "./references.ts";
import { createStore, type Store } from "./store.ts";
import { startWatcher, type Watcher, type WatcherStatus } from "./watcher.ts";

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
 * Lists and watches what the functions declare, and delivers the keys that changes lead to. It never gives up: whatever
 * fails is retried and shown in the status.
 * @example
 * const relay = startRelay({ cluster: "home", transport, ingress, secrets, clock, logger, random: Math.random });
 * await relay.synced;
 */
export function startRelay(options: RelayOptions): Relay {
  const { clock, random, logger } = options;
  const ingress = createIngress(options);
  const outbox = createOutbox();
  const pause = createPause(clock);
  const synced = Promise.withResolvers<void>();
  const watches: { store: Store; watcher: Watcher }[] = [];
  let manifest: Manifest | undefined;
  let manifestError: string | undefined = "the manifest was not fetched yet";
  let unsendable = 0;
  let stopped = false;

  const delivery = createDelivery({
    ...options,
    outbox,
    ingress,
    onEpoch() {
      for (const { store } of watches) store.all("triggered again: the scheduler's store was replaced");
    },
    refetch: ask,
  });

  async function ask(): Promise<Manifest> {
    const fetched = await fetchManifest(ingress);
    options.onManifest?.(fetched);
    return fetched;
  }

  async function load(): Promise<void> {
    for (let failures = 0; !stopped; failures++) {
      try {
        const fetched = await ask();
        const plans = planWatches(fetched);
        manifest = fetched;
        manifestError = undefined;
        logger.info("manifest fetched", { revision: fetched.revision, watches: plans.length });
        if (!stopped) watch(plans);
        return;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (message !== manifestError && !stopped) logger.warn("no manifest, trying again", { error: message });
        manifestError = message;
        if (!stopped) await pause.wait(backoffMs(DELIVERY_BACKOFF, failures, random()));
      }
    }
  }

  function watch(plans: WatchPlan[]): void {
    const references = createReferences();
    const tries = plans.map(() => Promise.withResolvers<void>());
    const lists = plans.map(() => Promise.withResolvers<void>());
    for (const [i, plan] of plans.entries()) {
      const store = createStore(plan, references, emit);
      const { resolve: onAttempted } = tries[i]!;
      const { resolve: onSynced } = lists[i]!;
      watches.push({ store, watcher: startWatcher({ ...options, plan, store, onAttempted, onSynced }) });
    }
    // What several lists say of a key is one run of it: nothing goes out before each list was tried.
    void Promise.all(tries.map(({ promise }) => promise)).then(delivery.open);
    void Promise.all(lists.map(({ promise }) => promise)).then(() => {
      logger.info("watches synced", { watches: plans.length });
      synced.resolve();
    });
  }

  function emit(hits: readonly Hit[], lane: Trigger["lane"], cause: string, uid: string | undefined): void {
    for (const { key, relation } of hits) {
      // The API server takes a few names that the wire does not; one would make the ingress refuse its whole batch.
      if (!objectName.safeParse(key.name).success) {
        unsendable++;
        logger.error("a name cannot be sent, dropped", { ...key, cause });
        continue;
      }
      // The uid is the watched object's: the key's own only where that is the primary.
      const own = relation.mapping.by === "self" && uid !== undefined && uid.length <= 64;
      outbox.add({ ...key, reason: relation.reason, lane, cause: cause.slice(0, 512), ...(own ? { uid } : undefined) });
    }
    delivery.wake();
  }

  void load();
  return {
    synced: synced.promise,
    async stop() {
      stopped = true;
      pause.cut();
      for (const { watcher } of watches) watcher.stop();
      const grace = createPause(clock);
      await Promise.race([delivery.flush(), grace.wait(STOP_GRACE_MS)]);
      grace.cut();
      delivery.stop();
      ingress.stop();
    },
    status() {
      const statuses = watches.map(({ watcher }) => watcher.status());
      const { pending, dropped, unknownControllers, error } = delivery.status();
      const reasons = [
        ...(manifestError === undefined ? [] : [`manifest: ${manifestError}`]),
        ...statuses.flatMap((each) => {
          const where = `${each.resource}${each.namespace === undefined ? "" : ` in ${each.namespace}`}`;
          if (each.error !== undefined) return [`watch of ${where}: ${each.error}`];
          return each.synced ? [] : [`watch of ${where}: not listed yet`];
        }),
        ...unknownControllers.map((name) => `controller ${name}: unknown to the functions`),
        ...(error === undefined ? [] : [`delivery: ${error}`]),
      ];
      return {
        ready: reasons.length === 0,
        reasons,
        ...(manifest === undefined ? undefined : { revision: manifest.revision }),
        watches: statuses,
        outbox: { pending, dropped: dropped + unsendable },
      };
    },
  };
}
