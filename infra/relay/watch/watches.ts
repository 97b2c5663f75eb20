import type { Declared, Manifest } from "../../../functions/contract/index.ts";
import type { Clock, KubeTransport, Logger } from "../../../functions/ports/index.ts";
import type { SavedWatch } from "../checkpoint/state.ts";
import { type Mapper, routesOf } from "../map/mapper.ts";
import { createReferences, idOf, parseId } from "../map/references.ts";
import type { Metrics } from "../metrics/metric-table.ts";
import { selectNamespaces } from "../plan/places.ts";
import {
  namespaceSelectors,
  namespacesPlanId,
  type PlannedRelation,
  planWatches,
  type WatchPlan,
} from "../plan/plan.ts";
import { diffPlans, newRelations, renewedControllers } from "../plan/plan-diff.ts";
import { type Shard, withinNamespaces } from "../plan/shard.ts";
import { type LeftBehind, leftBehind } from "../store/left-behind.ts";
import type { Hit } from "../store/observe.ts";
import { createStore, type Happened, type Saved, type Store } from "../store/store.ts";
import { allOf } from "./all-of.ts";
import { resumedWatch, type WatchState } from "./watch.ts";

export type { Watches, WatchView } from "./watches-interface.ts";

import { startWatcher, type Watcher } from "./watcher.ts";
import type { Watches } from "./watches-interface.ts";

export type WatchesOptions = {
  transport: KubeTransport;
  clock: Clock;
  logger: Logger;
  random: () => number;
  /** Asks code for keys. */
  mapper: Pick<Mapper, "ask" | "retain">;
  metrics?: Metrics | undefined;
  /** The part of the cluster that is watched; all of it where absent. */
  shard?: Shard | undefined;
  /** Keys to reconcile, and why. */
  emit(hits: readonly Hit[], happened: Happened): void;
  /** Each watch of a manifest was listed, or failed once, and all keys that the manifest renews were told. */
  onRenewed(): void;
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

/** The lists that all is told after: what several of them say of a key is then one run of it. */
type Renewal = {
  listing: Store[];
  tries: Promise<void>[] /** Of namespaces that came meanwhile. */;
  added: Set<PlannedRelation>;
};

export function createWatches(options: WatchesOptions): Watches {
  const { logger, mapper, onRenewed } = options;
  const references = createReferences();
  const running = new Map<string, Running>();
  /** Stores whose first list is complete, also where they list anew. */
  const listed = new WeakSet<Store>();
  const namespaces = selectNamespaces((selector) => {
    const store = running.get(namespacesPlanId(selector))?.store;
    return store && listed.has(store) ? store : undefined;
  });
  const synced = Promise.withResolvers<void>();
  let declared: Declared | undefined;
  let adopted: Manifest | undefined;
  let renewal: Renewal | undefined;
  /** Manifests whose keys are still to be told. */
  let telling = 0;
  /** A namespace that comes or goes: its keys are told either way. */
  let changing: string | undefined;
  /** Changes of watches that have ended, and of what is declared. */
  let otherChanges = 0;
  let allSynced = false;
  let stopped = false;

  function emit(hits: readonly Hit[], happened: Happened): void {
    const within = hits.filter(
      ({ key, relation }) =>
        relation.within === undefined ||
        (changing !== undefined && key.namespace === changing) ||
        namespaces.holds(relation.within, key.namespace),
    );
    if (within.length > 0) options.emit(within, happened);
  }

  function open(plan: WatchPlan, restored?: Saved): Store {
    const hooks = { map: mapper.ask, changed: (id: string) => changed(plan.id, id) };
    return createStore(plan, references, emit, restored, hooks);
  }

  function adopt(manifest: Manifest): void {
    if (stopped) return;
    const before = declared;
    declared = adopted = manifest;
    mapper.retain(new Set(manifest.controllers.flatMap(routesOf)));
    telling++;
    const { ended, left, listing, unseen } = follow(manifest);
    const forget = namespaces.keep(ended);
    const renewed = renewedControllers(before, manifest, unseen);
    const why = before ? "looked at again: a new revision" : "listed";
    const resumed = [...running.values()].filter(({ watcher, store }) => !watcher && !listing.includes(store));
    const mine: Renewal = { listing, tries: [], added: new Set() };
    renewal = mine;
    for (const store of listing) store.hold();
    for (const store of [...listing]) mine.tries.push(start(store));
    // Of a restored watch nobody else tells what is new.
    for (const { store, from } of resumed) mine.tries.push(start(store, from));
    checkSynced();
    logger.info("manifest adopted", {
      ...{ revision: manifest.revision, renewed: [...renewed], watches: running.size },
      ...{ listing: listing.map(({ plan }) => plan.id), ended: ended.map(({ plan }) => plan.id) },
      resumed: resumed.length,
    });
    void allOf(mine.tries).then(() => {
      if (stopped) return;
      if (renewal === mine) renewal = undefined;
      for (const store of mine.listing) store.release();
      const isRenewed = ({ key, relation }: Hit): boolean => renewed.has(key.controller) || mine.added.has(relation);
      // What is left may hold keys that nothing else does: what a selector excludes from now on is released (F1).
      for (const store of [...left, ...[...running.values()].map((each) => each.store)]) store.all(why, isRenewed);
      forget();
      telling--;
      otherChanges++;
      onRenewed();
    });
  }

  /**
   * Makes the watches those of the manifest, in the namespaces that it selects now. Those that list are to be started; `left`
   * are those that ended, and what others held for relations that they serve no longer.
   */
  function follow(manifest: Manifest) {
    const { shard } = options;
    const plans = planWatches(withinNamespaces(manifest, shard?.namespaces), shard?.selector, namespaces.places);
    const before = [...running.values()].map(({ store }) => store.plan);
    const { dropped, added, widened, narrowed } = diffPlans(before, plans);
    const unseen = [...added, ...widened].flatMap((plan) => newRelations(running.get(plan.id)?.store.plan, plan));
    const ended = dropped.map(({ id }) => end(id));
    for (const store of ended) {
      store.leave();
      running.delete(store.plan.id);
    }
    const left: LeftBehind[] = [...ended];
    const goOn = (store: Store, plan: WatchPlan): Store => {
      left.push(...leftBehind({ plan: store.plan, records: store.entries() }, plan, emit));
      store.adopt(plan);
      return store;
    };
    for (const plan of narrowed) goOn(running.get(plan.id)!.store, plan);
    const listing = widened.map((plan) => goOn(end(plan.id), plan));
    return { ended, left, listing: [...listing, ...added.map((plan) => open(plan))], unseen };
  }

  function isSelectedBy(plan: string): string[] {
    return adopted ? [...namespaceSelectors(adopted)].filter((selector) => namespacesPlanId(selector) === plan) : [];
  }

  /** An object came or went: where it is a namespace that is selected by, others are watched, or other keys count. */
  function changed(plan: string, id: string): void {
    const store = running.get(plan)?.store;
    if (stopped || !store || !listed.has(store)) return;
    const selectors = isSelectedBy(plan);
    if (selectors.length === 0) return;
    const { name } = parseId(id);
    const why = `looked at again: namespace ${name} is ${store.has(id) ? "" : "no longer "}selected`;
    const isOf = ({ key, relation }: Hit): boolean =>
      key.namespace === name && relation.within !== undefined && selectors.includes(relation.within);
    changing = name;
    for (const each of running.values()) each.store.all(why, isOf, { bulk: false });
    changing = undefined;
    replan(why);
  }

  /** Other namespaces are selected. What led to keys there is told now; what is new tells itself as it is listed. */
  function replan(why: string): void {
    const { ended, left, listing, unseen } = follow(adopted!);
    for (const relation of unseen) renewal?.added.add(relation);
    if (renewal) for (const store of listing) store.hold();
    renewal?.listing.push(...listing);
    const tries = listing.map((store) => start(store));
    renewal?.tries.push(...tries);
    for (const each of left) each.all(why, undefined, { bulk: false });
    otherChanges++;
    if (listing.length + ended.length > 0)
      logger.info("other namespaces are selected", {
        ...{ listing: listing.map(({ plan }) => plan.id), ended: ended.map(({ plan }) => plan.id) },
      });
  }

  /** Resolves once the watch has listed, goes on, or failed to, or was ended. */
  function start(store: Store, from?: WatchState): Promise<void> {
    const { promise, resolve: tried } = Promise.withResolvers<void>();
    const { id } = store.plan;
    const onSynced = (): void => {
      const each = running.get(id)!;
      each.synced = true;
      each.began ??= each.watcher?.position().cursor;
      const isFirst = !listed.has(store);
      listed.add(store);
      if (isFirst && isSelectedBy(id).length > 0) replan("listed");
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
        const store = open(watch.plan, watch);
        if (!watch.fresh) listed.add(store);
        // What code was not told of yet comes with a list.
        const waits = [...store.entries()].some(([, { unmapped }]) => unmapped !== undefined);
        const from = resumedWatch(watch.cursor, watch.listed && !watch.fresh && !waits);
        running.set(watch.plan.id, { store, from, synced: false, tried() {} });
      }
    },
    compare(saved, told = new Set()) {
      const ids = new Set(saved.watches.map(({ plan }) => plan.id));
      // What nobody watches any more is told to be released (F1).
      const ended = saved.watches.filter(({ plan }) => !running.has(plan.id));
      const left = ended.map((watch) => createStore(watch.plan, createReferences(), emit, watch));
      const forget = namespaces.keep(left);
      for (const store of left) store.all("no longer watched");
      forget();
      const unseen = [...running.values()].flatMap(({ store }) => (ids.has(store.plan.id) ? [] : store.plan.relations));
      for (const watch of saved.watches) {
        const store = running.get(watch.plan.id)?.store;
        if (!store) continue;
        unseen.push(...(watch.fresh ? store.plan.relations : newRelations(watch.plan, store.plan)));
        for (const each of leftBehind(watch, store.plan, emit)) each.all("no longer watched");
        if (store.rewound) unseen.push(...store.plan.relations);
        store.compare(watch, told.has(watch.plan.id));
      }
      const renewed = adopted ? renewedControllers(saved.declared, adopted, unseen) : new Set<string>();
      const isRenewed = ({ key }: Hit): boolean => renewed.has(key.controller);
      for (const { store } of running.values()) store.all("looked at again: seen by no relay before", isRenewed);
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
