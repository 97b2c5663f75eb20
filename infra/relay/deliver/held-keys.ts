import { backoffMs, type Trigger } from "../../../functions/contract/index.ts";
import type { Clock, Logger } from "../../../functions/ports/index.ts";
import { createOutbox, outboxKey } from "../outbox/outbox.ts";
import { createPause } from "../pause.ts";
import { DELIVERY_BACKOFF } from "./delivery-backoff.ts";
import { rejectionOf } from "./verdict.ts";

export type HeldKeysOptions = {
  clock: Clock;
  logger: Logger;
  random: () => number;
  /** Asks again what the functions declare, since they do not know a controller. */
  refetch(): Promise<void>;
  /** Whether a controller is one of the manifest's that the relay goes by. */
  isDeclared(controller: string): boolean;
  /** Delivers them once more. */
  giveBack(triggers: readonly Trigger[]): void;
};

/**
 * Keys that the functions rejected and may accept later (R5): of a controller that they do not know, since a deployment may be
 * on its way, and keys that a full shard has no room for. They are sent again, later each time, while all else is delivered.
 */
export interface HeldKeys {
  accepted(trigger: Trigger): void;
  /** False where it is to be dropped. */
  rejected(trigger: Trigger, error: string): boolean;
  /** All of a batch was sorted. */
  sorted(): void;
  /** Another relay leads: what was rejected is its to tell. */
  close(): void;
  stop(): void;
  all(): Trigger[];
  oldestSince(): number | undefined;
  readonly size: number;
  status(): {
    unknownControllers: readonly string[] /** Keys without room; absent where there are none. */;
    full?: number;
  };
}

export function createHeldKeys(options: HeldKeysOptions): HeldKeys {
  const { clock, logger, random } = options;
  const held = createOutbox(clock.monotonic);
  const pause = createPause(clock);
  const unknown = new Set<string>();
  const full = new Set<string>();
  let returning = false;
  let stopped = false;
  let refusals = 0;

  /** Later each time. */
  async function comeBack(): Promise<void> {
    returning = true;
    if (unknown.size > 0) {
      logger.error("the functions do not know a controller, holding its keys", { controllers: [...unknown] });
      await options.refetch();
    }
    if (full.size > 0) logger.error("the scheduler's shard is full, holding new keys", { keys: full.size });
    if (!stopped) await pause.wait(backoffMs(DELIVERY_BACKOFF, refusals++, random()));
    returning = false;
    options.giveBack(held.take(held.size));
  }

  return {
    accepted(trigger) {
      unknown.delete(trigger.controller);
      full.delete(outboxKey(trigger));
    },
    rejected(trigger, error) {
      const { controller } = trigger;
      const key = outboxKey(trigger);
      const rejection = rejectionOf(error);
      full.delete(key);
      if (rejection === "shard full") full.add(key);
      // Of a controller that was declared once and is no longer, keys are dropped.
      else if (rejection === "unknown controller" && options.isDeclared(controller)) unknown.add(controller);
      else {
        if (rejection === "unknown controller") unknown.delete(controller);
        return false;
      }
      held.add(trigger);
      return true;
    },
    sorted() {
      if (unknown.size + full.size === 0) refusals = 0;
      if (held.size > 0 && !returning) void comeBack();
    },
    close: () => full.clear(),
    stop() {
      stopped = true;
      pause.cut();
    },
    all: held.all,
    oldestSince: held.oldestSince,
    get size() {
      return held.size;
    },
    status: () => ({ unknownControllers: [...unknown], ...(full.size > 0 && { full: full.size }) }),
  };
}
