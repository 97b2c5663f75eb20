import type { Declared, Manifest } from "../../../functions/contract/index.ts";
import type { Clock, KubeTransport, Logger } from "../../../functions/ports/index.ts";
import type { CheckpointState, SavedWatch } from "../checkpoint/state.ts";
import type { Key } from "../map/map.ts";
import { createReferences, idOf } from "../map/references.ts";
import type { Metrics } from "../metrics/metric-table.ts";
import { planWatches } from "../plan/plan.ts";
import { diffPlans, newRelations, renewedControllers } from "../plan/plan-diff.ts";
import { type Shard, withinNamespaces } from "../plan/shard.ts";
import type { Hit } from "../store/observe.ts";
import { createStore, type Happened, type Store } from "../store/store.ts";
import { resumedWatch, type WatchState } from "./watch.ts";
import { startWatcher, type Watcher, type WatcherStatus } from "./watcher.ts";

export type WatchesOptions = {
  transport: KubeTransport;
  clock: Clock;
  logger: Logger;
  random: () => number;
  metrics?: Metrics | undefined;
  /** The part of the cluster that is watched; all of it where absent. */
  shard?: Shard | undefined;
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
  /** Goes on where another process stopped (R7). Before the first manifest is adopted. */
  restore(saved: Pick<CheckpointState, "declared" | "watches">): void;
  /**
   * Tells all that differs from what another relay had seen and told: for one that watched beside it (R7, R10).
   * @param told watches by id of which all that came since then was told already.
   */
  compare(saved: Pick<CheckpointState, "declared" | "watches">, told?: ReadonlySet<string>): void;
  views(): WatchView[];
  /** Whether a key may be of an object that is watched here: it is known, or not all are yet. */
  mayHold(key: Key): boolean;
  /** All that was seen and told. Undefined while a manifest's keys are being told, which no checkpoint can say. */
  snapshot(): Pick<CheckpointState, "declared" | "watches"> | undefined;
  /** Grows with every change of what {@link snapshot} says, but for cursors. */
  changes(): number;
  stop(): void;
  statuses(): WatcherStatus[];
}

/** How far a watch has seen. */
export type WatchView = {
  id: string;
  /** The manifest's that it comes from. */
  revision?: string | undefined;
  /** Since when each change of an object was told; absent before its first list. */
  began?: string | undefined;
  /** The newest version seen. */
  cursor?: string | undefined;
  /** Versions mean nothing: the API server went back in time (R14). */
  rewound: boolean;
};

type Running = {
  store: Store;
  began?: string | undefined;
  /** Absent before a restored watch goes on. */
  watcher?: Watcher;
  from?: WatchState;
  synced: boolean;
  tried(): void;
};

export function createWatches(options: WatchesOptions): Watches {
  const { logger, emit, onRenewed } = options;
  const references = createReferences();
  const running = new Map<string, Running>();
  const synced = Promise.withResolvers<void>();
  let declared: Declared | undefined;
  /** Manifests whose keys are still to be told. */
  let adopted: Manifest | undefined;
  let telling = 0;
  /** Changes of watches that have ended, and of what is declared. */
  let otherChanges = 0;
  let allSynced = false;
  let stopped = false;

  function adopt(manifest: Manifest): void {
    if (stopped) return;
    const before = [...running.values()];
    const { dropped, added, widened, narrowed } = diffPlans(
      before.map(({ store }) => store.plan),
      planWatches(withinNamespaces(manifest, options.shard?.namespaces), options.shard?.selector),
    );
    const unseen = [...added, ...widened].flatMap((plan) => newRelations(running.get(plan.id)?.store.plan, plan));
    const renewed = renewedControllers(declared, manifest, unseen);
    const why = declared ? "looked at again: a new revision" : "listed";
    declared = adopted = manifest;
    telling++;
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
    const resumed = [...running.values()].filter(({ watcher, store }) => !watcher && !listing.includes(store));
    const tries = [...listing.map((store) => start(store)), ...resumed.map(({ store, from }) => start(store, from))];
    checkSynced();
    logger.info("manifest adopted", {
      ...{ revision: manifest.revision, renewed: [...renewed], watches: running.size },
      ...{ listing: listing.map(({ plan }) => plan.id), ended: dropped.map(({ id }) => id) },
      resumed: resumed.length,
    });
    // What several lists, and the revision, say of a key is one run of it: all is told once each list was tried.
    void Promise.all(tries).then(() => {
      if (stopped) return;
      for (const store of listing) store.release();
      // A watch that has ended may have held keys that no other does: what a selector excludes from now on is released (F1).
      for (const store of [...ended, ...[...running.values()].map((each) => each.store)]) store.all(why, renewed);
      telling--;
      otherChanges++;
      onRenewed();
    });
  }

  /** Resolves once the watch has listed, goes on, or failed to, or was ended. */
  function start(store: Store, from?: WatchState): Promise<void> {
    const { promise, resolve: tried } = Promise.withResolvers<void>();
    // Of a restored watch nobody else tells what is new.
    if (!from) store.hold();
    const { id } = store.plan;
    const onSynced = (): void => {
      const each = running.get(id)!;
      each.synced = true;
      each.began ??= each.watcher?.position().cursor;
      checkSynced();
    };
    const watcher = startWatcher({ ...options, store, from, onAttempted: tried, onSynced });
    running.set(id, { store, watcher, synced: false, tried, began: from?.cursor });
    return promise;
  }

  function end(id: string): Store {
    const { watcher, tried, store } = running.get(id)!;
    watcher?.stop();
    tried();
    otherChanges += store.changes;
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
    restore(saved) {
      declared = saved.declared;
      for (const watch of saved.watches) {
        const store = createStore(watch.plan, references, emit, watch);
        const from = resumedWatch(watch.cursor, watch.listed);
        running.set(watch.plan.id, { store, from, synced: false, tried() {} });
      }
    },
    compare(saved, told = new Set()) {
      const ids = new Set(saved.watches.map(({ plan }) => plan.id));
      const unseen = [...running.values()].flatMap(({ store }) => (ids.has(store.plan.id) ? [] : store.plan.relations));
      for (const watch of saved.watches) {
        const store = running.get(watch.plan.id)?.store;
        if (store) unseen.push(...(watch.fresh ? store.plan.relations : newRelations(watch.plan, store.plan)));
        // What nobody watches any more is told to be released (F1).
        else createStore(watch.plan, createReferences(), emit, watch).all("no longer watched");
        if (store?.rewound) unseen.push(...store.plan.relations);
        if (!told.has(watch.plan.id)) store?.compare(watch);
      }
      const renewed = adopted ? renewedControllers(saved.declared, adopted, unseen) : new Set<string>();
      for (const { store } of running.values()) store.all("looked at again: seen by no relay before", renewed);
    },
    views: () =>
      [...running.values()].map(({ store, began, watcher }) => ({
        ...{ id: store.plan.id, revision: adopted?.revision, rewound: store.rewound },
        ...{ began, cursor: watcher?.position().cursor },
      })),
    mayHold({ controller, namespace, name }) {
      const id = idOf(namespace, name);
      for (const { store } of running.values())
        if (store.plan.relations.some((each) => each.controller === controller && each.mapping.by === "self"))
          if (store.fresh || store.has(id)) return true;
      return false;
    },
    snapshot() {
      if (!declared || telling > 0) return undefined;
      const watches = [...running.values()].flatMap(({ watcher, store }): SavedWatch[] => {
        if (!watcher) return [];
        const { cursor, listed, distrust } = watcher.position();
        const { plan } = store;
        // A plain copy of references: records are never changed, but replaced.
        const records = [...store.entries()];
        return [{ plan, ...(cursor !== undefined && { cursor }), listed, fresh: store.fresh || distrust, records }];
      });
      return { declared, watches };
    },
    changes: () => [...running.values()].reduce((sum, { store }) => sum + store.changes, otherChanges),
    stop() {
      stopped = true;
      for (const { watcher } of running.values()) watcher?.stop();
    },
    statuses: () => [...running.values()].flatMap(({ watcher }) => (watcher ? [watcher.status()] : [])),
  };
}
