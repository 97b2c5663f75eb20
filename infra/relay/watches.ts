import type { Manifest } from "../../functions/contract/index.ts";
import type { Clock, KubeTransport, Logger } from "../../functions/ports/index.ts";
import type { Hit } from "./observe.ts";
import { planWatches, type WatchPlan } from "./plan.ts";
import { diffPlans, newRelations, renewedControllers } from "./plan-diff.ts";
import { createReferences } from "./references.ts";
import { createStore, type Happened, type Store } from "./store.ts";
import { startWatcher, type Watcher, type WatcherStatus } from "./watcher.ts";

export type WatchesOptions = {
  transport: KubeTransport;
  clock: Clock;
  logger: Logger;
  random: () => number;
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
   * Starts the watches that a manifest adds, ends those that it drops and lists anew those that serve other relations; the
   * others go on. Then every key of a controller with another revision is told (R12).
   */
  adopt(manifest: Manifest): void;
  /** Tells every key again. */
  all(why: string): void;
  stop(): void;
  statuses(): WatcherStatus[];
}

type Running = { plan: WatchPlan; store: Store; watcher: Watcher; synced: boolean; tried(): void };

export function createWatches(options: WatchesOptions): Watches {
  const { logger, emit, onRenewed } = options;
  const references = createReferences();
  const running = new Map<string, Running>();
  const synced = Promise.withResolvers<void>();
  let declared: Manifest | undefined;
  let stopped = false;

  function adopt(manifest: Manifest): void {
    if (stopped) return;
    const before = [...running.values()];
    const { dropped, added, changed } = diffPlans(
      before.map(({ plan }) => plan),
      planWatches(manifest),
    );
    const ended = before.filter(({ plan }) => dropped.includes(plan));
    for (const { plan, store } of ended) {
      end(plan.id);
      store.leave();
      running.delete(plan.id);
    }
    const unseen = [...added, ...changed].flatMap((plan) => newRelations(running.get(plan.id)?.plan, plan));
    const renewed = renewedControllers(declared, manifest, unseen);
    const why = declared ? "looked at again: a new revision" : "listed";
    declared = manifest;
    const tries = [
      ...changed.map((plan) => {
        const { store } = end(plan.id)!;
        store.adopt(plan);
        return start(plan, store);
      }),
      ...added.map((plan) => start(plan, createStore(plan, references, emit))),
    ];
    checkSynced();
    const started = [...added, ...changed].map(({ id }) => id);
    logger.info("manifest adopted", {
      ...{ revision: manifest.revision, watches: running.size, started, ended: dropped.map(({ id }) => id) },
      renewed: [...renewed],
    });
    // What several lists, and the revision, say of a key is one run of it: all is told once each list was tried.
    void Promise.all(tries).then(() => {
      if (stopped) return;
      for (const id of started) running.get(id)?.store.release();
      // A watch that has ended may have held keys that no other does: what a selector excludes from now on is released (F1).
      for (const { store } of [...ended, ...running.values()]) store.all(why, renewed);
      onRenewed();
    });
  }

  /** Resolves once the watch has listed, or failed to, or was ended. */
  function start(plan: WatchPlan, store: Store): Promise<void> {
    const { promise, resolve: tried } = Promise.withResolvers<void>();
    store.hold();
    const watcher = startWatcher({
      ...{ ...options, plan, store, onAttempted: tried },
      onSynced() {
        running.get(plan.id)!.synced = true;
        checkSynced();
      },
    });
    running.set(plan.id, { plan, store, watcher, synced: false, tried });
    return promise;
  }

  function end(id: string): Running | undefined {
    const each = running.get(id);
    each?.watcher.stop();
    each?.tried();
    return each;
  }

  let told = false;
  function checkSynced(): void {
    if (told || [...running.values()].some((each) => !each.synced)) return;
    told = true;
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
