import type { Clock } from "../../../functions/ports/index.ts";
import { Refusal } from "./refusal.ts";

/** How much one controller may ask of the API server at most. */
export type GatewayLimits = {
  /** Requests under way at once. */
  concurrency: number;
  /** Requests a second; those that were left unused add up for {@link BURST_SECONDS}. */
  ratePerSecond: number;
};

/**
 * 32 at once serve two shards of the default concurrency. 300 a second are half of what the memory of ids holds, so that one
 * controller leaves room for the others.
 */
export const DEFAULT_LIMITS: GatewayLimits = { concurrency: 32, ratePerSecond: 300 };

/**
 * So long a controller may save up what it is allowed. A cold start of 2,000 objects, 8,000 requests, is then as fast as the API
 * server is; the memory of ids holds what this and the rate come to.
 */
export const BURST_SECONDS = 20;

/** Most requests of a controller that wait for their turn: less than a second's worth, by default. */
export const MAX_WAITING = 256;

/** How long a request waits for its turn at most, its deadline permitting. */
export const MAX_WAIT_MS = 5_000;

type Waiter = { start(): void; refuse(refusal: Refusal): void };

type Lane = {
  running: number;
  /** What may start now, as a bucket that fills with time. */
  tokens: number;
  filledAt: number;
  /** In the order in which they came. */
  waiting: Set<Waiter>;
  timer: (() => void) | undefined;
};

/** Lets requests through, each controller within limits of its own, first come first served: none waits for another's. */
export class Turns {
  readonly #clock: Clock;
  readonly #limits: GatewayLimits;
  readonly #lanes = new Map<string, Lane>();

  constructor(clock: Clock, limits: GatewayLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /**
   * Waits for a turn.
   * @param until when waiting is of no use any more: `deadlineAt` by the monotonic clock, and the client's end.
   * @returns what gives the turn back; whoever has it calls it once or more.
   * @throws Refusal 429 with Retry-After where too many wait or it took too long, 499 where the client has gone.
   */
  enter(controller: string, until: { deadlineAt: number; signal: AbortSignal }): Promise<() => void> {
    const lane = this.#laneOf(controller);
    if (lane.waiting.size === 0 && !until.signal.aborted && this.#hasRoom(lane))
      return Promise.resolve(this.#start(lane));
    return this.#wait(lane, until);
  }

  #wait(lane: Lane, until: { deadlineAt: number; signal: AbortSignal }): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (lane.waiting.size >= MAX_WAITING) return reject(this.#tooMany(lane, "more requests of this controller wait"));
      const gone = () => waiter.refuse(new Refusal(499, "client-closed", "the client has gone"));
      const waitMs = Math.min(MAX_WAIT_MS, until.deadlineAt - this.#clock.monotonic());
      const cancel = this.#clock.setTimer(Math.max(0, waitMs), () =>
        waiter.refuse(this.#tooMany(lane, "this request waited longer")),
      );
      const finish = () => {
        cancel();
        until.signal.removeEventListener("abort", gone);
        lane.waiting.delete(waiter);
      };
      const waiter: Waiter = {
        start: () => {
          finish();
          resolve(this.#start(lane));
        },
        refuse(refusal) {
          finish();
          reject(refusal);
        },
      };
      until.signal.addEventListener("abort", gone, { once: true });
      lane.waiting.add(waiter);
      if (until.signal.aborted) gone();
      this.#admit(lane);
    });
  }

  /** Ends the waiting of all. */
  stop(refusal: Refusal): void {
    for (const { waiting, timer } of this.#lanes.values()) {
      timer?.();
      for (const waiter of waiting) waiter.refuse(refusal);
    }
  }

  #laneOf(controller: string): Lane {
    const known = this.#lanes.get(controller);
    if (known) return known;
    const filledAt = this.#clock.monotonic();
    const lane = { running: 0, tokens: this.#burst, filledAt, waiting: new Set<Waiter>(), timer: undefined };
    this.#lanes.set(controller, lane);
    return lane;
  }

  get #burst(): number {
    return BURST_SECONDS * this.#limits.ratePerSecond;
  }

  #hasRoom(lane: Lane): boolean {
    const { concurrency, ratePerSecond } = this.#limits;
    const now = this.#clock.monotonic();
    lane.tokens = Math.min(this.#burst, lane.tokens + ((now - lane.filledAt) / 1000) * ratePerSecond);
    lane.filledAt = now;
    return lane.running < concurrency && lane.tokens >= 1;
  }

  #start(lane: Lane): () => void {
    lane.tokens--;
    lane.running++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      lane.running--;
      this.#admit(lane);
    };
  }

  #admit(lane: Lane): void {
    for (const waiter of lane.waiting) {
      if (!this.#hasRoom(lane)) break;
      waiter.start();
    }
    const { concurrency, ratePerSecond } = this.#limits;
    if (lane.waiting.size === 0 || lane.running >= concurrency) return;
    lane.timer ??= this.#clock.setTimer(Math.ceil(((1 - lane.tokens) / ratePerSecond) * 1000), () => {
      lane.timer = undefined;
      this.#admit(lane);
    });
  }

  #tooMany({ waiting }: Lane, why: string): Refusal {
    const { concurrency, ratePerSecond } = this.#limits;
    const limit = `${concurrency} requests at once, ${ratePerSecond} a second`;
    const seconds = Math.max(1, Math.ceil(waiting.size / ratePerSecond));
    const at = { field: "x-sluice-controller", limit };
    const message = `${why} than the gateway's limit of ${limit} allows`;
    return new Refusal(429, "too-many-requests", message, at, { "retry-after": String(seconds) });
  }
}
