import type { Entry } from "../../adapters/scheduler/entry.ts";
import type { Changes, Row } from "../../adapters/scheduler/state.ts";
import type { Store } from "../../adapters/scheduler/store.ts";

type Commit = { resolve: () => void; reject: (error: unknown) => void };

/** A store whose commits take as long as a test wants them to, and fail when it says so. */
export class HeldStore implements Store {
  readonly durable = true;
  readonly epoch = "an epoch";
  /** What survives the process. */
  readonly rows: Map<string, Entry>;
  readonly lines: Map<string, number>;
  /** What commits fail with: at once and nothing is kept, or late and all is. */
  fails: { throws?: string; rejects?: string } = {};
  /** How often it was closed. */
  closes = 0;
  readonly #newest: Map<string, Entry>;
  readonly #pending = { entries: new Map<string, Entry | null>(), parked: new Map<string, number | null>() };
  #isHeld = false;
  #commits: Commit[] = [];

  constructor(rows: ReadonlyMap<string, Entry> = new Map(), lines: ReadonlyMap<string, number> = new Map()) {
    this.rows = new Map(rows);
    this.lines = new Map(lines);
    this.#newest = new Map(rows);
  }

  /** What the next process finds. */
  afterCrash(): HeldStore {
    return new HeldStore(this.rows, this.lines);
  }

  /** Commits wait from now on. */
  hold(): void {
    this.#isHeld = true;
  }

  /** What waits is committed, or fails, and so is what comes next. */
  release(): void {
    this.#isHeld = false;
    this.#finish();
  }

  load(): Row[] {
    return [...this.rows].map(([key, entry]) => {
      const { queue, place, writtenAt } = entry;
      return { key, queue, place, writtenAt, entry };
    });
  }

  parked(): ReadonlyMap<string, number> {
    return this.lines;
  }

  read(key: string): Entry | undefined {
    return this.#newest.get(key);
  }

  commit({ entries, parked }: Changes): Promise<void> {
    if (this.fails.throws) throw new Error(this.fails.throws);
    put(this.#newest, entries);
    for (const [key, entry] of entries) this.#pending.entries.set(key, entry);
    for (const [line, at] of parked) this.#pending.parked.set(line, at);
    return new Promise((resolve, reject) => {
      this.#commits.push({ resolve, reject });
      if (!this.#isHeld) this.#finish();
    });
  }

  close(): void {
    this.closes++;
  }

  #finish(): void {
    const { rejects } = this.fails;
    const commits = this.#commits.splice(0);
    if (rejects && this.#pending.entries.size + this.#pending.parked.size > 0) {
      for (const { reject } of commits) reject(new Error(rejects));
      return;
    }
    put(this.rows, this.#pending.entries);
    put(this.lines, this.#pending.parked);
    this.#pending.entries.clear();
    this.#pending.parked.clear();
    for (const { resolve } of commits) resolve();
  }
}

function put<T>(into: Map<string, T>, changes: ReadonlyMap<string, T | null>): void {
  for (const [key, value] of changes) {
    if (value === null) into.delete(key);
    else into.set(key, value);
  }
}
