/**
 * What is used of Cloudflare's bindings, written out, so that the package needs no types of one platform. Those of
 * `@cloudflare/workers-types` fit.
 * @module
 */

/** The storage of a Durable Object whose class is declared with SQLite. */
export interface ObjectStorage {
  readonly sql: { exec(query: string, ...bindings: (string | number)[]): SqlCursor };
  /** Rolls back what was written, alarms included, when `work` throws. */
  transactionSync<T>(work: () => T): T;
  /** Resolves when all that was written is durable. */
  sync(): Promise<void>;
  /** All rows and values. It leaves the alarm alone. */
  deleteAll(): Promise<void>;
  deleteAlarm(): Promise<void>;
  getAlarm(): Promise<number | null>;
  setAlarm(at: number): Promise<void>;
}

export interface SqlCursor {
  raw(): Iterable<unknown[]>;
  /** What the platform bills. */
  readonly rowsWritten: number;
}

/** A KV namespace. */
export interface KvNamespace {
  getWithMetadata(key: string): Promise<{ value: string | null; metadata: unknown }>;
  put(key: string, value: string, options?: { expirationTtl: number; metadata: unknown }): Promise<void>;
  delete(key: string): Promise<void>;
}

/** Something that answers requests: a Durable Object's stub, a service binding. */
export interface Fetcher {
  fetch(url: string, init?: RequestInit): Promise<Response>;
}

/** The namespace of a Durable Object's class. */
export interface ObjectNamespace {
  getByName(name: string): Fetcher;
}
