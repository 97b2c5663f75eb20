import type { Manifest } from "../../../functions/contract/index.ts";
import type { Clock, KubeTransport, Logger } from "../../../functions/ports/index.ts";
import { type Mapper, routesOf } from "../map/mapper.ts";
import { createReferences, parseId } from "../map/references.ts";
import { selectNamespaces } from "../plan/places.ts";
import { namespaceSelectors, namespacesPlanId, type PlannedRelation, planWatches } from "../plan/plan.ts";
import { diffPlans, newRelations, renewedControllers } from "../plan/plan-diff.ts";
import type { Hit } from "../store/observe.ts";
import { createStore, type Happened, type Store } from "../store/store.ts";
import { startWatcher, type Watcher, type WatcherStatus } from "./watcher.ts";

export type WatchesOptions = {
  transport: KubeTransport;
  clock: Clock;
  logger: Logger;
  random: () => number;
  /** Asks code for keys. */
  mapper: Pick<Mapper, "ask" | "retain">;
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

/** The lists that all is told after: what several of them say of a key is then one run of it. */
type Renewal = { listing: Store[]; tries: Promise<void>[] };

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
  let declared: Manifest | undefined;
  let renewal: Renewal | undefined;
  /** A namespace that comes or goes: its keys are told either way. */
  let changing: string | undefined;
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

  function adopt(manifest: Manifest): void {
    if (stopped) return;
    const before = declared;
    declared = manifest;
    mapper.retain(new Set(manifest.controllers.flatMap(routesOf)));
    const { ended, listing, unseen } = follow(manifest);
    const renewed = renewedControllers(before, manifest, unseen);
    const why = before ? "looked at again: a new revision" : "listed";
    const mine: Renewal = { listing, tries: [] };
    renewal = mine;
    for (const store of listing) store.hold();
    mine.tries.push(...listing.map(start));
    checkSynced();
    logger.info("manifest adopted", {
      ...{ revision: manifest.revision, renewed: [...renewed], watches: running.size },
      ...{ listing: listing.map(({ plan }) => plan.id), ended: ended.map(({ plan }) => plan.id) },
    });
    void allOf(mine.tries).then(() => {
      if (stopped) return;
      if (renewal === mine) renewal = undefined;
      for (const store of mine.listing) store.release();
      const isRenewed = ({ key }: Hit): boolean => renewed.has(key.controller);
      // A watch that has ended may have held keys that no other does: what a selector excludes from now on is released (F1).
      for (const store of [...ended, ...[...running.values()].map((each) => each.store)]) store.all(why, isRenewed);
      onRenewed();
    });
  }

  /** Makes the watches those of the manifest, in the namespaces that it selects now. Those that list are to be started. */
  function follow(manifest: Manifest): { ended: Store[]; listing: Store[]; unseen: PlannedRelation[] } {
    const before = [...running.values()].map(({ store }) => store.plan);
    const { dropped, added, widened, narrowed } = diffPlans(before, planWatches(manifest, namespaces.places));
    const unseen = [...added, ...widened].flatMap((plan) => newRelations(running.get(plan.id)?.store.plan, plan));
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
    for (const plan of added)
      listing.push(createStore(plan, references, emit, { map: mapper.ask, changed: (id) => changed(plan.id, id) }));
    return { ended, listing, unseen };
  }

  /** An object came or went: where it is a namespace that is selected by, others are watched, or other keys count. */
  function changed(plan: string, id: string): void {
    const store = running.get(plan)?.store;
    if (stopped || !declared || !store || !listed.has(store)) return;
    const selectors = [...namespaceSelectors(declared)].filter((selector) => namespacesPlanId(selector) === plan);
    if (selectors.length === 0) return;
    const { name } = parseId(id);
    const why = `looked at again: namespace ${name} is ${store.has(id) ? "" : "no longer "}selected`;
    const isOf = ({ key, relation }: Hit): boolean =>
      key.namespace === name && relation.within !== undefined && selectors.includes(relation.within);
    changing = name;
    for (const each of running.values()) each.store.all(why, isOf);
    changing = undefined;
    replan(why);
  }

  function replan(why: string): void {
    const { ended, listing } = follow(declared!);
    if (renewal) for (const store of listing) store.hold();
    const tries = listing.map(start);
    renewal?.listing.push(...listing);
    renewal?.tries.push(...tries);
    for (const store of ended) store.all(why);
    if (listing.length + ended.length > 0)
      logger.info("other namespaces are selected", {
        ...{ listing: listing.map(({ plan }) => plan.id), ended: ended.map(({ plan }) => plan.id) },
      });
  }

  /** Resolves once the watch has listed, or failed to, or was ended. */
  function start(store: Store): Promise<void> {
    const { promise, resolve: tried } = Promise.withResolvers<void>();
    const { id } = store.plan;
    const onSynced = (): void => {
      running.get(id)!.synced = true;
      const isFirst = !listed.has(store);
      listed.add(store);
      if (isFirst && [...namespaceSelectors(declared!)].some((selector) => namespacesPlanId(selector) === id))
        replan("listed");
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

/** Resolves when all of them have, and those that were added meanwhile. */
async function allOf(promises: readonly Promise<void>[]): Promise<void> {
  for (let awaited = -1; awaited !== promises.length; ) {
    awaited = promises.length;
    await Promise.all(promises);
  }
}
