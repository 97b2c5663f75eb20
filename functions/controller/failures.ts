import * as z from "zod";
import { keyOf, type ObjectRef } from "../contract/index.ts";
import type { Clock, KeyValue, Logger } from "../ports/index.ts";

/** What KV keeps of a key that fails (S15), for its error policy and for `why`. Never the source of the count. */
export const failureRecord = z.object({
  /** The object that failed, where a run came to read it. */
  uid: z.string().optional(),
  /** Failures in a row, the last one included where it counted. */
  attempt: z.int().min(0),
  /** Milliseconds since 1970. */
  firstFailureAt: z.number(),
  lastError: z.string(),
});
export type FailureRecord = z.infer<typeof failureRecord>;

/** How long a run waits for KV: one that is slow or broken delays no answer by more. */
const KV_PATIENCE_MS = 2_000;

export type FailuresOptions = {
  kv: KeyValue;
  key: ObjectRef;
  /** The controller's longest backoff: a record outlives two of them. */
  maxBackoffMs: number;
  clock: Clock;
  /** Until the run's deadline. */
  remainingMs: () => number;
  log: Logger;
  errorText: (error: unknown) => string;
};

/** The failure record of one key. Nothing here throws, or waits for longer than 2 s or the run's deadline. */
export class Failures {
  readonly #options: FailuresOptions;
  readonly #key: string;

  constructor(options: FailuresOptions) {
    this.#options = options;
    this.#key = keyOf(options.key);
  }

  /** The record, where KV knows one and answers in time. */
  read(): Promise<FailureRecord | undefined> {
    return this.#patiently("read", async (kv) => {
      const text = await kv.get(this.#key);
      return text === undefined ? undefined : failureRecord.parse(JSON.parse(text));
    });
  }

  /** A write that takes longer than the run has goes on in the background. */
  async write(record: FailureRecord): Promise<void> {
    const expireInMs = 2 * this.#options.maxBackoffMs;
    await this.#patiently("write", (kv) => kv.set(this.#key, JSON.stringify(record), { expireInMs }));
  }

  async clear(): Promise<void> {
    await this.#patiently("delete", (kv) => kv.delete(this.#key));
  }

  async #patiently<T>(operation: string, work: (kv: KeyValue) => Promise<T>): Promise<T | undefined> {
    const { kv, clock, remainingMs, log, errorText } = this.#options;
    const waitMs = Math.max(0, Math.min(KV_PATIENCE_MS, remainingMs()));
    const done = (async () => work(kv))().catch((error: unknown) => {
      log.warn("the KV store failed", { operation, error: errorText(error) });
      return undefined;
    });
    let cancel = (): void => {};
    const tooLong = new Promise<undefined>((resolve) => {
      cancel = clock.setTimer(waitMs, () => {
        log.warn("the KV store is slow: the run does not wait for it", { operation, waitMs });
        resolve(undefined);
      });
    });
    return Promise.race([done, tooLong]).finally(cancel);
  }
}
