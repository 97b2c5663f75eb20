import type { Clock, KubeResponse, KubeTransport, Logger } from "../../../functions/ports/index.ts";
import { messageOf } from "../message.ts";
import type { Metrics } from "../metrics/metric-table.ts";
import type { Store } from "../store/store.ts";
import { failureOf, readEvent, readPage, readVersion } from "./kube-answer.ts";
import { createLines } from "./lines.ts";
import { isListing } from "./listing.ts";
import {
  initialWatch,
  type ReconnectCause,
  type RelistCause,
  stepWatch,
  type WatchEffect,
  type WatchInput,
  type WatchPhase,
  type WatchState,
} from "./watch.ts";

/** Objects a page, as client-go asks for. */
export const PAGE_SIZE = 500;
/** How long a list may take to answer, or be silent if it is a streaming one: longer than the API server's own limit of 60 s. */
export const LIST_TIMEOUT_MS = 70_000;
/** A watch without a byte for so long is taken for dead: bookmarks come about every minute. */
export const IDLE_LIMIT_MS = 180_000;
/** How long past its own timeout a stream of the server may go on. */
export const DEADLINE_GRACE_MS = 10_000;

export type WatcherOptions = {
  store: Store;
  transport: KubeTransport;
  clock: Clock;
  logger: Logger;
  random: () => number;
  metrics?: Metrics | undefined;
  /** Where it goes on (R7); with a list from nothing where absent. */
  from?: WatchState | undefined;
  /** The first list has ended, or failed for the first time. */
  onAttempted(): void;
  /** The first list is complete, or the stream is open that goes on after the last one. */
  onSynced(): void;
};

/** Where a watch may go on later. `distrust`: the versions of its records mean nothing any more (R14). */
export type Position = { cursor?: string | undefined; listed: boolean; distrust: boolean };

export type WatcherStatus = {
  /** `documents.example.com`, `secrets`. */
  resource: string;
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
  state: WatchPhase;
  synced: boolean;
  objects: number;
  /** Milliseconds since the API server sent anything; null before it did. */
  lastEventAgeMs: number | null;
  /** Lists after the first one, and streams after the first one of a list. */
  relists: number;
  relistsByCause: Readonly<Record<RelistCause, number>>;
  reconnects: number;
  reconnectsByCause: Readonly<Record<ReconnectCause, number>>;
  /** What is wrong just now. */
  error?: string;
};

/** One list and watch that runs until it is stopped. */
export interface Watcher {
  stop(): void;
  position(): Position;
  status(): WatcherStatus;
}

/** Drives the watch machine: requests for its effects, answers and time as its inputs. */
export function startWatcher(options: WatcherOptions): Watcher {
  const { store, transport, clock, random, metrics } = options;
  const { plan } = store;
  const { group, plural } = plan.resource;
  const resource = group === "" ? plural : `${plural}.${group}`;
  const logger = options.logger.with({ resource, ...(plan.namespace ? { namespace: plan.namespace } : undefined) });
  const asked = { method: "GET", path: plan.path };
  const selectors = { labelSelector: plan.labelSelector, fieldSelector: plan.fieldSelector };
  let state = options.from ?? initialWatch;
  let synced = false;
  let heardAtMs: number | undefined;
  /** Ends what is under way. One thing is at a time; what it still answers then is nobody's. */
  let end = (): void => {};

  function feed(input: WatchInput): void {
    const before = state;
    const [next, effects] = stepWatch(state, input, { nowMs: clock.monotonic(), random: random() });
    state = next;
    if (next.error !== before.error) log(input, next.error);
    tell("relists", before.relistsByCause, next.relistsByCause);
    tell("reconnects", before.reconnectsByCause, next.reconnectsByCause);
    if (next.paged && !before.paged) logger.info("the server takes no streaming list, listing in pages");
    for (const effect of effects) perform(effect);
    if (next.phase === "Watching") reached();
  }

  function reached(): void {
    if (!synced) options.onSynced();
    synced = true;
  }

  type Counts = Readonly<Record<string, number>>;

  function tell(metric: "relists" | "reconnects", before: Counts, now: Counts): void {
    if (now === before) return;
    for (const [cause, count] of Object.entries(now))
      if (count > before[cause]!) metrics?.count(metric, { resource, cause }, count - before[cause]!);
  }

  function log(input: WatchInput, error: string | undefined): void {
    // An expired version is everyday business, and mended by the list that follows.
    const expired = (input.is === "failed" && input.status === 410) || (input.is === "error" && input.code === 410);
    if (error === undefined) logger.info("watch recovered");
    else if (expired) logger.info("watch expired, listing again", { error });
    else logger.warn("watch in trouble", { error });
  }

  function perform(effect: WatchEffect): void {
    switch (effect.do) {
      case "take":
        store.take(effect.items, effect.list, effect.all);
        return;
      case "sweep":
        store.sweep(effect.list, state.cursor);
        reached();
        return;
      case "observe":
        store.observe(effect.type, effect.object);
        return;
      case "attempted":
        options.onAttempted();
        return;
      case "wait":
        end();
        end = clock.setTimer(effect.ms, () => feed({ is: "waited" }));
        return;
      case "list":
        begin((turn) => list(turn, { limit: String(PAGE_SIZE), continue: effect.continue }, readPage));
        return;
      case "probe":
        begin((turn) => list(turn, { limit: "1" }, readVersion));
        return;
      case "watch":
        begin((turn) => watch(turn, effect));
        return;
    }
  }

  type Turn = { signal: AbortSignal; feed(input: WatchInput): void; after(ms: number, callback: () => void): void };

  function begin(run: (turn: Turn) => Promise<void>): void {
    end();
    const controller = new AbortController();
    const timers = new Set<() => void>();
    end = () => {
      controller.abort();
      for (const cancel of timers) cancel();
    };
    const turn: Turn = {
      signal: controller.signal,
      feed(input) {
        if (!controller.signal.aborted) feed(input);
      },
      after(ms, callback) {
        const cancel = clock.setTimer(ms, () => {
          timers.delete(cancel);
          callback();
        });
        timers.add(cancel);
      },
    };
    run(turn).catch((error: unknown) => turn.feed({ is: "failed", message: messageOf(error) }));
  }

  async function list(
    turn: Turn,
    query: Record<string, string | undefined>,
    read: typeof readPage | typeof readVersion,
  ): Promise<void> {
    turn.after(LIST_TIMEOUT_MS, () => turn.feed({ is: "failed", message: `no answer within ${LIST_TIMEOUT_MS} ms` }));
    const response = await request(turn, "List", query);
    const input = await read(response, asked);
    heardAtMs = clock.monotonic();
    turn.feed(input);
  }

  async function watch(turn: Turn, { from, timeoutSeconds }: WatchEffect & { do: "watch" }): Promise<void> {
    let lastByteMs = clock.monotonic();
    turn.after(timeoutSeconds * 1_000 + DEADLINE_GRACE_MS, () => turn.feed({ is: "deadline" }));
    const listen = (): void => {
      const limitMs = isListing(state) ? LIST_TIMEOUT_MS : IDLE_LIMIT_MS;
      const leftMs = lastByteMs + limitMs - clock.monotonic();
      if (leftMs <= 0) turn.feed({ is: "silent" });
      else turn.after(leftMs, listen);
    };
    listen();
    const response = await request(turn, "", {
      watch: "1",
      allowWatchBookmarks: "true",
      ...(from === undefined
        ? { sendInitialEvents: "true", resourceVersionMatch: "NotOlderThan" }
        : { resourceVersion: from }),
      timeoutSeconds: String(timeoutSeconds),
    });
    const failure = await failureOf(response, asked);
    if (failure) return turn.feed(failure);
    const reader = response.body!.getReader();
    const cancel = (): void => void reader.cancel().catch(() => {});
    if (turn.signal.aborted) return cancel();
    turn.signal.addEventListener("abort", cancel);
    turn.feed({ is: "opened" });
    const lines = createLines();
    try {
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        lastByteMs = heardAtMs = clock.monotonic();
        for (const line of lines.push(read.value)) {
          const event = readEvent(line);
          metrics?.count("watchEvents", { resource, type: event.is === "event" ? event.type : event.is.toUpperCase() });
          turn.feed(event);
        }
      }
    } catch (error) {
      if (error instanceof RangeError) return turn.feed({ is: "error", code: 0, message: error.message });
      // A connection that breaks is resumed like one that ends.
    }
    turn.feed({ is: "closed" });
  }

  function request(turn: Turn, list: "List" | "", query: Record<string, string | undefined>): Promise<KubeResponse> {
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...selectors, ...query }))
      if (value !== undefined) params.set(name, value);
    // A server that cannot cut objects down to their metadata sends them whole.
    const metadataOnly = `application/json;as=PartialObjectMetadata${list};g=meta.k8s.io;v=v1,application/json`;
    return transport.fetch(`${plan.path}?${params}`, {
      headers: { accept: store.plan.fullObjects ? "application/json" : metadataOnly },
      signal: turn.signal,
    });
  }

  feed({ is: "start" });
  return {
    stop: () => end(),
    position: () => ({
      cursor: state.cursor,
      listed: state.phase === "InitListed" || state.phase === "Watching",
      distrust: state.distrust,
    }),
    status: () => ({
      resource,
      ...(plan.namespace === undefined ? undefined : { namespace: plan.namespace }),
      ...(plan.labelSelector === undefined ? undefined : { labelSelector: plan.labelSelector }),
      ...(plan.fieldSelector === undefined ? undefined : { fieldSelector: plan.fieldSelector }),
      state: state.phase,
      synced,
      objects: store.size,
      lastEventAgeMs: heardAtMs === undefined ? null : clock.monotonic() - heardAtMs,
      relists: sum(state.relistsByCause),
      relistsByCause: state.relistsByCause,
      reconnects: sum(state.reconnectsByCause),
      reconnectsByCause: state.reconnectsByCause,
      ...(state.error === undefined ? undefined : { error: state.error }),
    }),
  };
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
