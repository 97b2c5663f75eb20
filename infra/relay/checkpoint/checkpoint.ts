import { backoffMs, MAX_CHECKPOINT_PARTS, partName } from "../../../functions/contract/index.ts";
import type { Clock, Logger } from "../../../functions/ports/index.ts";
import { DELIVERY_BACKOFF, LAST_RETRY_MS } from "../deliver/delivery-backoff.ts";
import type { Ingress } from "../deliver/ingress.ts";
import { messageOf } from "../message.ts";
import type { Metrics } from "../metrics/metric-table.ts";
import { createPause } from "../pause.ts";
import { type IndexState, type ReadIndex, readIndex, stateOf, writeIndex } from "./index-text.ts";
import { Failed, NotKept, partsOf } from "./parts.ts";
import { decode, type Encoded, encode } from "./rows.ts";
import type { CheckpointState } from "./state.ts";

/**
 * What a relay knows, kept by the functions between two of its lives (R7).
 *
 * - `load()` gives the newest state that was saved, or undefined: then everything is listed and triggered. It may be called
 *   again, by a standby that takes the lead.
 * - `save(state)` writes the parts that changed, then the index. Saves follow one another.
 * - `watches.snapshot()` makes a state, `watches.restore(state)` goes on from one, and `watches.compare(state)` tells what a
 *   relay that watched meanwhile sees other than the one that saved. Pending triggers go to `outbox.add`.
 * - `keepSaved` (saving.ts) saves when something changed, at most every 5 minutes.
 *
 * Of two relays that save at the same time the one that loaded last is right, and the other one stops. It goes on when the
 * index stays as it is, three times that it wanted to save.
 * @module
 */

export type CheckpointOptions = {
  cluster: string;
  /** The part of the cluster that it is of. */
  shard?: string | undefined;
  ingress: Ingress;
  clock: Clock;
  logger: Logger;
  metrics?: Metrics | undefined;
};

export interface Checkpoint {
  /** Asks until there is an answer, or it is stopped. */
  load(): Promise<CheckpointState | undefined>;
  /** What the index alone says, undefined without one. @throws where it cannot be read. */
  peek(): Promise<IndexState | undefined>;
  /** False where it was not saved; the reason is in the log. */
  save(state: CheckpointState): Promise<boolean>;
  /** The same for the last time: where there is no answer it is tried again soon, until it is stopped. */
  saveLast(state: CheckpointState): Promise<boolean>;
  /** Whether the functions keep checkpoints, as far as they were asked. */
  isKept(): boolean;
  /** Whether parts are so old that they are to be put again, though nothing changed. */
  isDue(): boolean;
  stop(): void;
}

/** Parts are put again after 15 days, half of the time for which the ingress keeps them. */
export const RENEW_MS: number = 15 * 24 * 60 * 60 * 1000;

/** Requests at once. */
const AT_ONCE = 8;
/** How often another relay's index must be found unchanged before this one writes over it. */
const LOOKS = 3;

export function createCheckpoint({ cluster, shard, ingress, clock, logger, metrics }: CheckpointOptions): Checkpoint {
  const parts = partsOf(cluster, ingress, shard);
  const pause = createPause(clock);
  const lastPause = createPause(clock);
  const holder = crypto.randomUUID();
  let stopped = false;
  let term = 1;
  let loads = 0;
  /** The index that the next one follows, by name; its parts are stored. */
  let stored: { name: string; index: ReadIndex } | undefined;
  let renewedAt = clock.now();
  let lost: { to: string; looks: number } | undefined;
  let error: string | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function load(): Promise<CheckpointState | undefined> {
    for (let failures = 0; !stopped; failures++) {
      try {
        const state = await afterLast(loadOnce);
        complain(undefined);
        return state;
      } catch (cause) {
        complain(cause);
        if (!(cause instanceof Failed)) return undefined;
        const backoff = backoffMs(DELIVERY_BACKOFF, failures, 0.5);
        if (!stopped) await ingress.presence.wait(pause, Math.max(backoff, cause.retryAfterMs));
      }
    }
    return undefined;
  }

  async function loadOnce(): Promise<CheckpointState | undefined> {
    const found = await look();
    loads++;
    stored = found;
    if (!found) logger.info("there is no checkpoint, everything is triggered");
    if (!found) return undefined;
    const { index } = found;
    term = index.term + 1;
    lost = undefined;
    if (!index.state) {
      logger.warn("the checkpoint is of another version, or damaged, everything is triggered");
      return undefined;
    }
    const texts = await all(index.parts, async (name) => {
      const text = await parts.get(name);
      return text !== undefined && (await nameOf(text)) === name ? text : undefined;
    });
    const whole = texts.filter((text) => text !== undefined);
    if (whole.length < texts.length) {
      stored = { ...found, index: { ...index, parts: [] } };
      logger.warn("parts of the checkpoint are missing, everything is triggered", {
        missing: texts.length - whole.length,
        of: texts.length,
      });
      return undefined;
    }
    const { epoch, clusterUid, revision, controllers, watches } = index.state;
    const state = decode(watches, whole);
    renewedAt = index.state.renewedAt;
    logger.info("checkpoint loaded", { parts: whole.length, pending: state.pending.length, revision });
    return {
      ...state,
      ...(epoch !== undefined && { epoch }),
      ...(clusterUid !== undefined && { clusterUid }),
      declared: { revision, controllers },
    };
  }

  /** The index as it is stored. */
  async function look(): Promise<typeof stored> {
    const text = await parts.get("index");
    return text === undefined ? undefined : { name: await nameOf(text), index: readIndex(text) };
  }

  /** @returns a failure where another try may do. */
  async function save(state: CheckpointState): Promise<boolean | Failed> {
    try {
      const encoded = encode(state);
      if (encoded.parts.length > MAX_CHECKPOINT_PARTS)
        throw new RangeError(`${encoded.parts.length} parts, at most ${MAX_CHECKPOINT_PARTS}`);
      const saved =
        (!lost && (await saveOnce(state, encoded))) || ((await mayReplace()) && (await saveOnce(state, encoded)));
      complain(undefined);
      metrics?.count("checkpointSaves", { result: saved ? "saved" : "refused" });
      return saved;
    } catch (cause) {
      complain(cause);
      metrics?.count("checkpointSaves", { result: "failed" });
      return cause instanceof Failed ? cause : false;
    }
  }

  async function saveLast(state: CheckpointState): Promise<boolean> {
    for (;;) {
      const saved = await save(state);
      if (!(saved instanceof Failed)) return saved;
      if (stopped) return false;
      await ingress.presence.wait(lastPause, LAST_RETRY_MS);
    }
  }

  /** What reads or writes the index follows one another. */
  function afterLast<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  }

  /** A state that knows nothing of what was loaded since is not saved over it. */
  function unlessLoaded(work: () => Promise<boolean>): Promise<boolean> {
    const before = loads;
    return afterLast(async () => before === loads && work());
  }

  /** False where another index is stored than was thought. */
  async function saveOnce(state: CheckpointState, { positions, parts: wanted }: Encoded): Promise<boolean> {
    const isOld = isDue();
    const before = stored?.index;
    const known = new Set(isOld ? [] : [...(before?.parts ?? []), ...(before?.retired ?? [])]);
    const names = await all(wanted, async (part) => {
      const bytes = new TextEncoder().encode(part.text());
      const name = await partName(bytes);
      if (!known.has(name)) await parts.put(name, bytes);
      return name;
    });
    const needed = new Set(names);
    const renewed = isOld ? clock.now() : renewedAt;
    const index = {
      ...{ holder, term, parts: names.sort() },
      retired: (before?.parts ?? []).filter((name) => !needed.has(name)),
      state: stateOf(state, positions, renewed),
    };
    if (before && sameContent(before, index)) return true;
    const bytes = writeIndex({ cluster, replaces: stored?.name ?? null, ...index });
    if (!(await parts.put("index", bytes))) return false;
    stored = { name: await partName(bytes), index };
    renewedAt = renewed;
    lost = undefined;
    logger.debug("checkpoint saved", { parts: names.length, put: names.filter((name) => !known.has(name)).length });
    return true;
  }

  /** Looks at the index that is stored instead of ours: whether it is ours all the same, or an older relay's. */
  async function mayReplace(): Promise<boolean> {
    const found = await look();
    if (found && found.index.holder !== holder && found.index.term >= term) {
      if (!lost) logger.warn("another relay saves this cluster's checkpoint, this one does not");
      lost = { to: found.name, looks: lost?.to === found.name ? lost.looks + 1 : 1 };
      if (lost.looks < LOOKS) return false;
      term = found.index.term + 1;
    }
    stored = found;
    return true;
  }

  function isDue(): boolean {
    return clock.now() - renewedAt >= RENEW_MS;
  }

  function complain(cause: unknown): void {
    const before = error;
    error = cause === undefined ? undefined : cause instanceof NotKept ? cause.name : messageOf(cause);
    if (error === before || stopped) return;
    if (error === undefined) logger.info("checkpoints are kept again");
    else if (cause instanceof NotKept) logger.warn("the functions keep no checkpoints: a restart triggers everything");
    else logger.warn("checkpoint failed, trying again", { error });
  }

  return {
    load,
    peek: async () => (await look())?.index.state,
    save: (state) => unlessLoaded(async () => (await save(state)) === true),
    saveLast: (state) => unlessLoaded(() => saveLast(state)),
    isKept: () => error !== "NotKept",
    isDue,
    stop() {
      stopped = true;
      pause.cut();
      lastPause.cut();
    },
  };
}

function sameContent(a: { parts: readonly string[]; state?: IndexState }, b: typeof a): boolean {
  return JSON.stringify([a.parts, a.state]) === JSON.stringify([b.parts, b.state]);
}

function nameOf(text: string): Promise<string> {
  return partName(new TextEncoder().encode(text));
}

/** Results in the items' order, with a few at once. */
async function all<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = items.entries();
  const worker = async (): Promise<void> => {
    for (const [i, item] of left) results[i] = await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
