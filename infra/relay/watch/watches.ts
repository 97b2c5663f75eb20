import type { Manifest } from "../../../functions/contract/index.ts";
import type { Clock, KubeTransport, Logger } from "../../../functions/ports/index.ts";
import { createReferences } from "../map/references.ts";
import type { Metrics } from "../metrics/metric-table.ts";
import { planWatches } from "../plan/plan.ts";
import { diffPlans, newRelations, renewedControllers } from "../plan/plan-diff.ts";
import type { Hit } from "../store/observe.ts";
import { createStore, type Happened, type Store } from "../store/store.ts";
import { startWatcher, type Watcher, type WatcherStatus } from "./watcher.ts";

export type WatchesOptions = {
  transport: KubeTransport;
  clock: Clock;
  logger: Logger;
  random: () => number;
  metrics?: Metrics | undefined;
  /** Keys to reconcile, and why. */
  emit(hits: readonly Hit[], happened: Happened): void;
  /** Each watch of a manifest was listed, or failed once, and all keys that the manifest renews were told. */
  onRenewed(): void;
};

/** The watches of the manifest that the relay goes by. */
export interface Watches {
  /** Resolves when every watch has completed its first list. */
  synced: Promise<void>;
  /**
   * Starts the watches that a manifest adds, ends those that it drops, lists anew those with new relations, and leaves the
   * others alone. Then every key of a controller with another revision is told (R12).
   */
  adopt(manifest: Manifest): void;
  /** Tells every key again. */
  all(why: string): void;
  stop(): void;
  statuses(): WatcherStatus[];
}

type Running = { store: Store; watcher: Watcher; synced: boolean; tried(): void };

export function createWatches(options: WatchesOptions): Watches {
  const { logger, emit, onRenewed } = options;
  const references = createReferences();
  const running = new Map<string, Running>();
  const synced = Promise.withResolvers<void>();
  let declared: Manifest | undefined;
  let allSynced = false;
  let stopped = false;

  function adopt(manifest: Manifest): void {
    if (stopped) return;
    const before = [...running.values()];
    const { dropped, added, widened, narrowed } = diffPlans(
      before.map(({ store }) => store.plan),
      planWatches(manifest),
    );
    const unseen = [...added, ...widened].flatMap((plan) => newRelations(running.get(plan.id)?.store.plan, plan));
    const renewed = renewedControllers(declared, manifest, unseen);
    const why = declared ? "looked at again: a new revision" : "listed";
    declared = manifest;
    const ended = dropped.map(({ id }) => end(id));
    for (const store of ended) {
      store.leave();
      running.delete(store.plan.id);
    }
    for (const plan of narrowed) running.get(plan.id)!.store.adopt(plan);
    const listing = widened.map((plan) => {
      const store = end(plan.id);
      store.adopt(plan);
      return store;
    });
    listing.push(...added.map((plan) => createStore(plan, references, emit)));
    const tries = listing.map(start);
    checkSynced();
    logger.info("manifest adopted", {
      ...{ revision: manifest.revision, renewed: [...renewed], watches: running.size },
      ...{ listing: listing.map(({ plan }) => plan.id), ended: dropped.map(({ id }) => id) },
    });
    // What several lists, and the revision, say of a key is one run of it: all is told once each list was tried.
    void Promise.all(tries).then(() => {
      if (stopped) return;
      for (const store of listing) store.release();
      // A watch that has ended may have held keys that no other does: what a selector excludes from now on is released (F1).
      for (const store of [...ended, ...[...running.values()].map((each) => each.store)]) store.all(why, renewed);
      onRenewed();
    });
  }

  /** Resolves once the watch has listed, or failed to, or was ended. */
  function start(store: Store): Promise<void> {
    const { promise, resolve: tried } = Promise.withResolvers<void>();
    store.hold();
    const { id } = store.plan;
    const onSynced = (): void => {
      running.get(id)!.synced = true;
      checkSynced();
    };
    const watcher = startWatcher({ ...options, store, onAttempted: tried, onSynced });
    running.set(id, { store, watcher, synced: false, tried });
    return promise;
  }

  function end(id: string): Store {
    const { watcher, tried, store } = running.get(id)!;
    watcher.stop();
    tried();
    return store;
  }

  function checkSynced(): void {
    if (allSynced || [...running.values()].some((each) => !each.synced)) return;
    allSynced = true;
    logger.info("watches synced", { watches: running.size });
    synced.resolve();
  }

  return {
    synced: synced.promise,
    adopt,
    all(why) {
      for (const { store } of running.values()) store.all(why);
    },
    stop() {
      stopped = true;
      for (const { watcher } of running.values()) watcher.stop();
    },
    statuses: () => [...running.values()].map(({ watcher }) => watcher.status()),
  };
}
