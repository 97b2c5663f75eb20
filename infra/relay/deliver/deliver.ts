import {
  API_VERSION,
  backoffMs,
  MAX_BODY_BYTES,
  MAX_TRIGGERS,
  type Trigger,
  type TriggersAnswer,
  type TriggersRequest,
  triggersAnswer,
} from "../../../functions/contract/index.ts";
import type { Clock, Logger, Steps } from "../../../functions/ports/index.ts";
import type { Metrics } from "../metrics/metric-table.ts";
import { createOutbox, type Outbox, oldestOf } from "../outbox/outbox.ts";
import { createPause } from "../pause.ts";
import { DELIVERY_BACKOFF, LAST_RETRY_MS } from "./delivery-backoff.ts";
import { createHeldKeys } from "./held-keys.ts";
import type { Ingress, IngressAnswer } from "./ingress.ts";
import { acceptedAs, type Refused, refusedBy, unanswered } from "./verdict.ts";

/** How soon is noticed that nothing is held any more. */
const HELD_CHECK_MS = 5_000;

export type DeliveryOptions = {
  cluster: string;
  outbox: Outbox;
  ingress: Ingress;
  clock: Clock;
  logger: Logger;
  random: () => number;
  steps?: Steps | undefined;
  metrics?: Metrics | undefined;
  /** Each batch that was accepted. */
  onAnswer(answer: TriggersAnswer): void;
  /** Asks again what the functions declare, since they do not know a controller. */
  refetch(): Promise<void>;
  /** Whether nothing may be delivered just now. */
  isHeld?: () => boolean;
  /** Whether a controller is one of the manifest's that the relay goes by. */
  isDeclared(controller: string): boolean;
};

export type DeliveryStatus = {
  /** Keys that wait to be delivered. */
  pending: number;
  /** Keys that the ingress refused by name, for good. */
  dropped: number;
  /** Controllers whose keys are held, because the functions do not know them. */
  unknownControllers: readonly string[];
  /** Keys that are held, because the scheduler's shard has no room for them; absent where there are none. */
  full?: number;
  /** Why nothing is delivered just now. */
  error?: string;
};

/** Empties the outbox into the ingress, one batch at a time, for ever (R5, R11). */
export interface Delivery {
  /** Before this nothing is delivered. */
  open(): void;
  /** Nothing more is delivered: another relay leads (R10). What is under way may still be accepted. */
  close(): void;
  /** The outbox holds something. Sends at once, or after the batch that is under way. */
  wake(): void;
  /** Resolves when all was delivered; tries again now, and from now on soon, instead of after a wait. */
  flush(): Promise<void>;
  stop(): void;
  /** All that was not accepted yet, with what is under way, for the checkpoint (R7). */
  pending(): Trigger[];
  status(): DeliveryStatus;
  /** How long the oldest of what is pending has waited, what is under way included; undefined where nothing is. */
  oldestAgeMs(): number | undefined;
}

export function createDelivery(options: DeliveryOptions): Delivery {
  const { cluster, outbox, ingress, clock, logger, random, steps, metrics } = options;
  const pause = createPause(clock);
  const held = createHeldKeys({
    ...options,
    giveBack(triggers) {
      outbox.putBack(triggers);
      wake();
    },
  });
  let idle: (() => void)[] = [];
  let open = false;
  let running = false;
  let stopped = false;
  let flushing = false;
  let failures = 0;
  let limit = MAX_TRIGGERS;
  let dropped = 0;
  let error: string | undefined;
  let underWay: Trigger[] = [];

  function wake(): void {
    if (!open || running || stopped || outbox.size === 0) return;
    running = true;
    void run();
  }

  async function run(): Promise<void> {
    while (outbox.size > 0 && open && !stopped) {
      if (options.isHeld?.()) {
        await pause.wait(HELD_CHECK_MS);
        continue;
      }
      await steps?.reach("outbox filled, not delivered");
      underWay = outbox.take(limit);
      const waitMs = await deliver(underWay);
      if (waitMs > 0 && open && !stopped)
        await ingress.presence.wait(pause, flushing ? Math.min(waitMs, LAST_RETRY_MS) : waitMs);
    }
    running = false;
    for (const resolve of idle) resolve();
    idle = [];
  }

  /** One try. Returns how long to wait before the next one, in milliseconds. */
  async function deliver(batch: Trigger[]): Promise<number> {
    const request: TriggersRequest = { apiVersion: API_VERSION, cluster, triggers: batch };
    const body = new TextEncoder().encode(JSON.stringify(request));
    if (body.length > MAX_BODY_BYTES && batch.length > 1) return split(batch);
    const sentAt = clock.monotonic();
    const answered = (code: string): void => {
      metrics?.count("deliveries", { code });
      metrics?.took("deliverySeconds", {}, clock.monotonic() - sentAt);
    };
    let answer: IngressAnswer;
    try {
      answer = await ingress.send("POST", "/triggers", body);
    } catch (cause) {
      answered("error");
      return hold(batch, unanswered(cause));
    }
    answered(String(answer.status));
    const accepted = acceptedAs(triggersAnswer, answer);
    if (accepted) return settle(batch, accepted);
    if (answer.status === 413 && answer.problem && batch.length > 1) return split(batch);
    return hold(batch, refusedBy("POST /triggers", answer));
  }

  function settle(batch: Trigger[], answer: TriggersAnswer): number {
    if (error !== undefined) logger.info("delivery recovered");
    error = undefined;
    underWay = [];
    failures = 0;
    limit = Math.min(MAX_TRIGGERS, limit * 2);
    const refused = new Set(answer.rejected.map(({ index }) => index));
    metrics?.count("triggers", { result: "accepted" }, batch.length - refused.size);
    for (const [i, trigger] of batch.entries()) if (!refused.has(i)) held.accepted(trigger);
    for (const { index, error } of answer.rejected) {
      const trigger = batch[index];
      if (!trigger || held.rejected(trigger, error)) continue;
      dropped++;
      metrics?.count("triggers", { result: "rejected" });
      const { controller, namespace, name } = trigger;
      logger.warn("trigger rejected and dropped", { controller, namespace, name, error });
    }
    held.sorted();
    options.onAnswer(answer);
    return 0;
  }

  function split(batch: Trigger[]): number {
    limit = Math.ceil(batch.length / 2);
    takeBack(batch);
    return 0;
  }

  function takeBack(batch: Trigger[]): void {
    underWay = [];
    outbox.putBack(batch);
  }

  function hold(batch: Trigger[], refused: Refused): number {
    takeBack(batch);
    if (!open) return 0;
    if (refused.error !== error && !stopped) {
      if (refused.someoneMustAct) logger.error("triggers are not accepted, holding them", { error: refused.error });
      else logger.warn("triggers are not accepted, trying again", { error: refused.error });
    }
    error = refused.error;
    return Math.max(backoffMs(DELIVERY_BACKOFF, failures++, random()), refused.retryAfterMs);
  }

  return {
    open() {
      open = true;
      wake();
    },
    close() {
      open = false;
      error = undefined;
      held.close();
      pause.cut();
    },
    wake,
    async flush() {
      open = true;
      flushing = true;
      pause.cut();
      wake();
      if (running) await new Promise<void>((resolve) => idle.push(resolve));
    },
    stop() {
      stopped = true;
      pause.cut();
      held.stop();
    },
    pending() {
      const all = createOutbox();
      for (const trigger of [...underWay, ...held.all(), ...outbox.all()]) all.add(trigger);
      return all.all();
    },
    status: () => ({
      pending: outbox.size + held.size,
      dropped,
      ...held.status(),
      ...(error === undefined ? undefined : { error }),
    }),
    oldestAgeMs() {
      const instants = [outbox.oldestSince(), oldestOf(underWay), held.oldestSince()];
      const known = instants.filter((instant) => instant !== undefined);
      return known.length === 0 ? undefined : clock.monotonic() - Math.min(...known);
    },
  };
}
