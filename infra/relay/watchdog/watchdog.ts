import {
  API_VERSION,
  backoffMs,
  type WakeAnswer,
  type WakeRequest,
  wakeAnswer,
} from "../../../functions/contract/index.ts";
import type { Clock, Logger } from "../../../functions/ports/index.ts";
import { DELIVERY_BACKOFF } from "../deliver/delivery-backoff.ts";
import type { Ingress } from "../deliver/ingress.ts";
import { acceptedAs, type Refused, refusedBy, unanswered } from "../deliver/verdict.ts";
import type { Metrics } from "../metrics/metric-table.ts";
import { createPause } from "../pause.ts";
import { initialWakeTime, triggersTold, wakeAsked, wakeDue, wakeTold } from "./wake-time.ts";

export type WatchdogOptions = {
  cluster: string;
  ingress: Ingress;
  clock: Clock;
  logger: Logger;
  random: () => number;
  metrics?: Metrics | undefined;
  /** Each answer to `/wake`. */
  onAnswer(answer: WakeAnswer): void;
};

/** Sees to it that the scheduler is woken when it is due, whatever becomes of its platform's timer (R12). */
export interface Watchdog {
  /** Asks `/wake` at once, and until it is answered; from then on when it is due. */
  wake(): void;
  /** Asks nothing more until {@link wake}: another relay does (R10). */
  rest(): void;
  /** What an answer to `/triggers` said. */
  triggersTold(answer: WakeAnswer): void;
  /** Whether hooks or schedules trigger keys of which the relay hears nothing. */
  expectUnseen(expected: boolean): void;
  stop(): void;
  status(): { error?: string };
}

export function createWatchdog({
  cluster,
  ingress,
  clock,
  logger,
  random,
  metrics,
  onAnswer,
}: WatchdogOptions): Watchdog {
  const request: WakeRequest = { apiVersion: API_VERSION, cluster };
  const body = new TextEncoder().encode(JSON.stringify(request));
  const pause = createPause(clock);
  let time = initialWakeTime;
  let unseen = false;
  let asking = false;
  let stopped = false;
  let resting = false;
  /** Counts rests: what was under way before one is nobody's. */
  let turn = 0;
  let error: string | undefined;
  let cancel = (): void => {};

  function arm(): void {
    cancel();
    cancel = () => {};
    const due = wakeDue(time, unseen);
    if (due !== null && !asking && !stopped && !resting)
      cancel = clock.setTimer(Math.max(0, due - clock.monotonic()), wake);
  }

  function wake(): void {
    resting = false;
    if (asking || stopped) return;
    asking = true;
    cancel();
    void untilAnswered(turn);
  }

  async function untilAnswered(begun: number): Promise<void> {
    for (let failures = 0; !stopped && begun === turn; failures++) {
      time = wakeAsked(time);
      const answer = await ask();
      if (begun !== turn) return;
      if (!("error" in answer)) {
        if (error !== undefined) logger.info("the scheduler can be woken again");
        error = undefined;
        asking = false;
        time = wakeTold(time, answer, clock.monotonic());
        onAnswer(answer);
        return arm();
      }
      if (answer.error !== error && !stopped)
        logger[answer.someoneMustAct ? "error" : "warn"]("the scheduler cannot be woken, trying again", {
          error: answer.error,
        });
      error = answer.error;
      const backoff = backoffMs(DELIVERY_BACKOFF, failures, random());
      if (!stopped) await ingress.presence.wait(pause, Math.max(backoff, answer.retryAfterMs));
    }
  }

  async function ask(): Promise<WakeAnswer | Refused> {
    try {
      const answer = await ingress.send("POST", "/wake", body);
      metrics?.count("wakes", { code: String(answer.status) });
      return acceptedAs(wakeAnswer, answer) ?? refusedBy("POST /wake", answer);
    } catch (cause) {
      metrics?.count("wakes", { code: "error" });
      return unanswered(cause);
    }
  }

  return {
    wake,
    rest() {
      resting = true;
      asking = false;
      turn++;
      error = undefined;
      cancel();
      pause.cut();
    },
    triggersTold(answer) {
      time = triggersTold(time, answer, clock.monotonic());
      arm();
    },
    expectUnseen(expected) {
      unseen = expected;
      arm();
    },
    stop() {
      stopped = true;
      cancel();
      pause.cut();
    },
    status: () => (error === undefined ? {} : { error }),
  };
}
