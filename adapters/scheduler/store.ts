import type { Entry } from "./entry.ts";
import type { Changes, Row } from "./state.ts";

/** Where a driver keeps the rows of its entries. */
export interface Store {
  /** Whether what was committed survives the process. */
  readonly durable: boolean;
  /** Made with the store (S14). */
  readonly epoch: string;
  load(): Iterable<Row>;
  /** Since when lines that are not declared have been parked (S17). */
  parked(): ReadonlyMap<string, number>;
  /** The newest state of a key, be it durable yet or not. */
  read(key: string): Entry | undefined;
  /**
   * All or nothing. What is read is the new state at once. Resolves when it is durable, and all that came before it (S3).
   * Rejects when it is not: it is kept, and written with the next commit, which may be empty.
   * @throws when nothing of it was kept.
   */
  commit(changes: Changes): Promise<void>;
  close(): void;
}
