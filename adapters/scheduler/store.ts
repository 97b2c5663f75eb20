import type { Entry } from "./entry.ts";
import type { Changes } from "./state.ts";

/** Where a driver keeps the rows of its entries. */
export interface Store {
  /** Whether what was committed survives the process. */
  readonly durable: boolean;
  /** Made with the store (S14). */
  readonly epoch: string;
  load(): Iterable<[key: string, entry: Entry]>;
  /** All or nothing, and durable when it returns (S3). @throws when it is not. */
  commit(changes: Changes): void;
  close(): void;
}
