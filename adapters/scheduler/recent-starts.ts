import type { Entry } from "./entry.ts";

/** S19 counts starts within this. */
export const BUDGET_WINDOW_MS = 60_000;

type Start = { readonly key: string; readonly at: number; counted: boolean };

/** Starts of a key within the last minute, and what its entry would say of them if there were one. */
export type Recent = { readonly count: number; readonly lastStart: number; readonly overBudgetUntil: number | null };

/**
 * How often each key started within the last minute (S19). The one thing that a reload forgets, but for keys that were over
 * their budget already, whose entries say so.
 */
export class RecentStarts {
  #starts: Start[] = [];
  #oldest = 0;
  readonly #byKey = new Map<string, Recent & { readonly last: Start }>();

  /** Starts come in the order of time. */
  add(key: string, { lastStart, overBudgetUntil }: Entry): void {
    const last = { key, at: lastStart ?? 0, counted: true };
    this.#starts.push(last);
    const count = (this.#byKey.get(key)?.count ?? 0) + 1;
    this.#byKey.set(key, { count, lastStart: last.at, overBudgetUntil, last });
  }

  /** The key's last start counts as none (S8). */
  takeBack(key: string): void {
    const recent = this.#byKey.get(key);
    if (recent) this.#uncount(recent.last);
  }

  /** How often a key started, but for its last start where that is to be taken back. */
  count(key: string, now: number, takesBack: boolean): number {
    this.of(key, now);
    const recent = this.#byKey.get(key);
    if (!recent) return 0;
    return recent.count - Number(takesBack && recent.last.counted);
  }

  of(key: string, now: number): Recent | undefined {
    for (let start = this.#starts[this.#oldest]; start && start.at <= now - BUDGET_WINDOW_MS; ) {
      this.#uncount(start);
      start = this.#starts[++this.#oldest];
    }
    if (this.#oldest > 1_000 && this.#oldest > this.#starts.length / 2) {
      this.#starts = this.#starts.slice(this.#oldest);
      this.#oldest = 0;
    }
    return this.#byKey.get(key);
  }

  #uncount(start: Start): void {
    const recent = this.#byKey.get(start.key);
    if (!recent || !start.counted) return;
    start.counted = false;
    if (recent.count === 1) this.#byKey.delete(start.key);
    else this.#byKey.set(start.key, { ...recent, count: recent.count - 1 });
  }
}
