import * as z from "zod";
import { keyOf, type ObjectRef } from "../contract/index.ts";
import type { Clock, KeyValue, Logger } from "../ports/index.ts";

/** What KV keeps of a key that fails (S15), for its error policy and for `why`. Never the source of the count. */
export const failureRecord = z.object({
  /** The object that failed, where a run came to read it. */
  uid: z.string().optional(),
  /** Failures in a row, the last one included. */
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
  log: Logger;
};

/** The failure record of one key. Nothing here throws, or waits for longer than 2 s. */
export class Failures {
  readonly #options: FailuresOptions;
  readonly #key: string;

  constructor(options: FailuresOptions) {
    this.#options = options;
    this.#key = keyOf(options.key);
  }

  /** The record, where KV knows one and answers in time. */
  read(): Promise<FailureRecord | undefined> {
    return this.#patiently("read", KV_PATIENCE_MS, async (kv) => {
      const text = await kv.get(this.#key);
      return text === undefined ? undefined : failureRecord.parse(JSON.parse(text));
    });
  }

  /** @param leftMs until the run's deadline; the write goes on in the background where it takes longer. */
  async write(record: FailureRecord, leftMs: number): Promise<void> {
    const expireInMs = 2 * this.#options.maxBackoffMs;
    await this.#patiently("written", leftMs, (kv) => kv.set(this.#key, JSON.stringify(record), { expireInMs }));
  }

  async clear(leftMs: number): Promise<void> {
    await this.#patiently("deleted", leftMs, (kv) => kv.delete(this.#key));
  }

  async #patiently<T>(what: string, leftMs: number, work: (kv: KeyValue) => Promise<T>): Promise<T | undefined> {
    const { kv, clock, log } = this.#options;
    const patienceMs = Math.max(0, Math.min(KV_PATIENCE_MS, leftMs));
    const done = (async () => work(kv))().catch((error: unknown) => {
      log.warn(`the failure record could not be ${what}`, { error: String(error) });
      return undefined;
    });
    let cancel = (): void => {};
    const patience = new Promise<undefined>((resolve) => {
      cancel = clock.setTimer(patienceMs, () => {
        log.warn(`the failure record is not ${what} yet`, { waitedMs: patienceMs });
        resolve(undefined);
      });
    });
    return Promise.race([done, patience]).finally(cancel);
  }
}
