import { type Manifest, objectName, type Trigger, type WakeAnswer } from "../../functions/contract/index.ts";
import type { Clock, KubeTransport, Logger, Steps } from "../../functions/ports/index.ts";
import { createCheckpoint } from "./checkpoint/checkpoint.ts";
import { sameCluster } from "./checkpoint/same-cluster.ts";
import { keepSaved } from "./checkpoint/saving.ts";
import type { CheckpointState } from "./checkpoint/state.ts";
import { createDelivery } from "./deliver/deliver.ts";
import { createIngress, type IngressFetch } from "./deliver/ingress.ts";
import type { Identity } from "./identity.ts";
import type { ElectionRules } from "./leader/election.ts";
import type { LeaderStatus } from "./leader/elector.ts";
import { createLeadership } from "./leader/leadership.ts";
import { createMapper } from "./map/mapper.ts";
import type { Metrics } from "./metrics/metric-table.ts";
import { createOutbox } from "./outbox/outbox.ts";
import { createPause } from "./pause.ts";
import { followRevisions } from "./plan/revisions.ts";
import type { Shard } from "./plan/shard.ts";
import { type Check, checkOf, reasonsOf, watchCheck } from "./readiness.ts";
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
  /** How it agrees with its replicas on who leads (R10); absent, it is the only one. */
  election?: ElectionRules | undefined;
  /** The part of the cluster that it is for; all of it where absent. */
  shard?: Shard | undefined;
  steps?: Steps;
  /** Told of what happens. */
  metrics?: Metrics;
  /** Makes sure which cluster this is. Where absent, another one than before is taken for a new one, and triggered whole. */
  identity?: Identity | undefined;
};

export type RelayStatus = {
  ready: boolean;
  /** Why it is not ready. */
  reasons: string[];
  /** All that has to be right for it to be ready. */
  checks: Check[];
  /** The manifest that the watches come from; absent before it was fetched. */
  revision?: string;
  watches: WatcherStatus[];
  outbox: { pending: number; dropped: number /** How long the oldest has waited. */; oldestAgeMs?: number };
  leader: Omit<LeaderStatus, "error">;
};

export interface Relay {
  /** Resolves when every watch has completed its first list. Stays pending if the relay is stopped before. */
  synced: Promise<void>;
  /** Ends the watches, delivers what is pending within 5 s, saves the checkpoint within 5 s, and gives up the lead. */
  stop(): Promise<void>;
  status(): RelayStatus;
}

/** How long a relay that is being stopped goes on delivering, and then, at most as long again, saves its checkpoint. */
export const STOP_GRACE_MS = 5_000;

/** How long the checkpoint may take, once there is a manifest, before everything is listed and triggered instead. */
export const LOAD_PATIENCE_MS = 15_000;

/**
 * Lists and watches what the functions declare, delivers the keys that changes lead to, and sees to it that the scheduler is
 * woken. It never gives up: whatever fails is retried and shown in the status.
 * @example
 * const relay = startRelay({ cluster: "home", transport, ingress, secrets, clock, logger, random: Math.random });
 * await relay.synced;
 */
export function startRelay(options: RelayOptions): Relay {
  const { clock, logger, metrics } = options;
  const ingress = createIngress({ ...options, mayWrite: () => leadership.leads() });
  const outbox = createOutbox(clock.monotonic);
  let manifest: Manifest | undefined;
  let epoch: string | undefined;
  let unsendable = 0;
  let accepted = 0;
  const checkpoint = createCheckpoint({ ...options, ingress, shard: options.shard?.name });
  const patience = createPause(clock);
  const loaded = Promise.withResolvers<void>();
  let loading = true;
  let begun = false;
  const identity = options.identity ?? sameCluster(options);
  const { confirmed } = identity;
  void checkpoint.load().then(async (saved) => {
    loading = false;
    identity.told(saved?.clusterUid);
    const { counts } = await confirmed;
    patience.cut();
    if (counts) restore(saved);
    loaded.resolve();
  });

  const mapper = createMapper({ ...options, ingress });
  const watches = createWatches({ ...options, mapper, emit, onRenewed: () => leadership.renewed() });
  const watchdog = createWatchdog({ ...options, ingress, onAnswer });
  const delivery = createDelivery({
    ...{ ...options, outbox, ingress },
    isHeld: () => !identity.isRight(),
    onAnswer(answer) {
      accepted++;
      watchdog.triggersTold(answer);
      onAnswer(answer);
    },
    refetch: () => revisions.ask(),
    isDeclared: (controller) => declared(controller) !== undefined,
  });
  const revisions = followRevisions({
    ...{ ...options, ingress },
    onAdopted(adopted) {
      if (!manifest && loading) void patience.wait(LOAD_PATIENCE_MS).then(goOnWithout);
      manifest = adopted;
      watchdog.expectUnseen(adopted.controllers.some(({ unseenTriggers }) => unseenTriggers));
      void Promise.all([loaded.promise, confirmed]).then(() => {
        begun = true;
        leadership.begun();
        watches.adopt(adopted);
      });
    },
  });
  ingress.presence.follow({
    onAway: revisions.away,
    // Their platform's timer may be among what was lost.
    onBack: () => leadership.settled() && watchdog.wake(),
  });
  const saving = keepSaved({ checkpoint, clock, snapshot, changes: () => watches.changes() + accepted });
  const leadership = createLeadership({
    ...{ ...options, outbox, watches, checkpoint },
    pending: () => delivery.pending(),
    onLead: () => watchdog.wake(),
    async counts({ clusterUid }) {
      identity.told(clusterUid);
      const uid = clusterUid === undefined ? undefined : await identity.uid().catch(() => undefined);
      return uid === undefined || uid === clusterUid;
    },
    onTakeOver(saved) {
      // What it knew of the scheduler's store, then what was told of it since.
      const seen = epoch;
      if (saved?.epoch !== undefined) epoch = saved.epoch;
      if (seen !== undefined) epochTold(seen);
    },
    onReady: () => delivery.open(),
    onFollow() {
      delivery.close();
      watchdog.rest();
    },
  });
  if (leadership.settled()) watchdog.wake();

  function declared(controller: string) {
    return manifest?.controllers.find(({ name }) => name === controller);
  }

  /** Without the checkpoint, which did not come in time. */
  function goOnWithout(): void {
    if (!loading) return;
    identity.told(undefined);
    loaded.resolve();
  }

  /** Goes on where another process stopped (R7). */
  function restore(saved: CheckpointState | undefined): void {
    if (!saved || begun) return;
    watches.restore(saved);
    for (const trigger of saved.pending) outbox.add(trigger);
    const seen = epoch;
    epoch = saved.epoch;
    if (seen !== undefined) epochTold(seen);
  }

  async function snapshot(): Promise<CheckpointState | undefined> {
    const uid = begun && checkpoint.isKept() ? await identity.uid() : undefined;
    const seen = leadership.settled() && identity.isRight() ? watches.snapshot() : undefined;
    return (
      seen && {
        ...{ ...seen, pending: delivery.pending() },
        ...(epoch !== undefined && { epoch }),
        ...(uid !== undefined && { clusterUid: uid }),
      }
    );
  }

  /** What every answer of the ingress says. */
  function onAnswer(answer: WakeAnswer): void {
    revisions.told(answer.revision);
    leadership.answered();
    if (leadership.settled()) epochTold(answer.epoch);
    else epoch = answer.epoch;
  }

  function epochTold(told: string): void {
    const another = epoch !== undefined && told !== epoch;
    epoch = told;
    if (!another) return;
    logger.warn("the scheduler's store is another one, triggering everything", { epoch });
    watches.all("triggered again: the scheduler's store was replaced");
  }

  function emit(hits: readonly Hit[], happened: Happened): void {
    const { lane, cause, uid, bulk } = happened;
    if (!leadership.takes(happened)) return;
    for (const { key, relation } of hits) {
      // What is related to another relay's primary is seen here, too, and is that relay's to tell.
      if (options.shard?.selector && relation.mapping.by !== "self" && !watches.mayHold(key)) continue;
      // The API server takes a few names that the wire does not; one would make the ingress refuse its whole batch.
      if (!objectName.safeParse(key.name).success) {
        unsendable++;
        metrics?.count("triggers", { result: "unsendable" });
        logger.error("a name cannot be sent, dropped", { ...key, cause });
        continue;
      }
      // The uid is the watched object's: the key's own only where that is the primary.
      const own = relation.mapping.by === "self" && uid !== undefined && uid.length <= 64;
      // What is looked at again is looked at by the revision that is declared (F7). Older functions tell and take none.
      const revision = lane === "resync" ? declared(key.controller)?.revision : undefined;
      const trigger: Trigger = {
        ...{ ...key, reason: bulk ? "bulk" : relation.reason, lane, cause: cause.slice(0, 512) },
        ...(own && { uid }),
        ...(revision !== undefined && { revision }),
      };
      outbox.add(trigger);
      leadership.took(trigger, happened);
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
      identity.stop();
      const grace = createPause(clock);
      const within = async (work: Promise<void>): Promise<void> => {
        await Promise.race([work, grace.wait(STOP_GRACE_MS)]);
        grace.cut();
      };
      if (leadership.settled() && identity.isRight()) await within(delivery.flush());
      delivery.stop();
      await within(saving.finish());
      checkpoint.stop();
      await within(leadership.stop());
      patience.cut();
      ingress.stop();
    },
    status() {
      const statuses = watches.statuses();
      const { pending, dropped, unknownControllers, full, error } = delivery.status();
      const oldestAgeMs = delivery.oldestAgeMs();
      const { revision, error: manifestError } = revisions.status();
      const { error: wakeError } = watchdog.status();
      const { error: clusterError } = identity.status();
      const { error: leaseError, ...leader } = leadership.status();
      const checks = [
        checkOf("manifest", manifestError),
        checkOf("cluster", clusterError),
        checkOf("checkpoint", begun || !manifest || clusterError !== undefined ? undefined : "not loaded yet"),
        ...statuses.map(watchCheck),
        ...unknownControllers.map((name) => checkOf(`controller ${name}`, "unknown to the functions")),
        ...(full === undefined ? [] : [checkOf("scheduler", `its shard is full, ${full} new keys are held`)]),
        ...mapper.status().errors.map(({ relation, error }) => checkOf(`mapping ${relation}`, error)),
        checkOf("delivery", error),
        checkOf("wake", wakeError),
        checkOf("lease", leaseError),
      ];
      const reasons = reasonsOf(checks);
      return {
        ready: reasons.length === 0,
        reasons,
        checks,
        ...(revision === undefined ? undefined : { revision }),
        watches: statuses,
        outbox: {
          pending,
          dropped: dropped + unsendable,
          ...(leader.leads && oldestAgeMs !== undefined && { oldestAgeMs }),
        },
        leader,
      };
    },
  };
}
