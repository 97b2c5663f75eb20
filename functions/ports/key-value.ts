/** A key-value store for what may be stale: failure records, checkpoints. Not a queue and not a lock. */
export interface KeyValue {
  readonly flags: {
    /** Whether values survive the process. */
    durable: boolean;
    /** How old a read may be, in milliseconds. */
    stalenessMs: number;
  };
  get(key: string): Promise<string | undefined>;
  /** @param expireInMs after which the value is as if deleted. */
  set(key: string, value: string, options: { expireInMs: number }): Promise<void>;
  delete(key: string): Promise<void>;
}
