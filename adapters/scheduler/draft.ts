import type { Note } from "./core.ts";
import type { Entry } from "./entry.ts";
import type { Pace } from "./pause.ts";
import type { State } from "./state.ts";

/** How long entries of a controller that is no longer declared are kept (S17). */
export const PARKED_FOR_MS: number = 30 * 24 * 60 * 60 * 1000;

/** What a step has decided so far, over a state that it only reads. */
export class Draft {
  readonly changes = new Map<string, Entry | null>();
  readonly paces = new Map<string, Pace>();
  readonly notes: Note[] = [];
  readonly #state: State;
  readonly #now: number;

  constructor(state: State, now: number) {
    this.#state = state;
    this.#now = now;
  }

  entry(key: string): Entry | null {
    return this.changes.has(key) ? this.changes.get(key)! : (this.#state.entries.get(key) ?? null);
  }

  pace(controller: string): Pace {
    return this.paces.get(controller) ?? this.#state.pace(controller);
  }

  change(key: string, entry: Entry | null): void {
    if (entry !== this.entry(key)) this.changes.set(key, entry && this.#written(entry));
  }

  /** S17: an entry is parked from when its controller was first found not to be declared, and kept for 30 days. */
  #written(entry: Entry): Entry | null {
    const isDeclared = this.#state.controllers.has(entry.ref.controller);
    const parkedAt = isDeclared ? null : (entry.parkedAt ?? this.#now);
    if (parkedAt !== null && !entry.lease && parkedAt + PARKED_FOR_MS <= this.#now) return null;
    return { ...entry, parkedAt, writtenAt: this.#now };
  }

  /** S17: parks what a reload found without its controller, takes up what has it again, and deletes what is out of time. */
  park(): void {
    const parked: string[] = [];
    const deleted: string[] = [];
    for (const key of this.#state.misplaced) {
      const entry = this.#state.entries.get(key)!;
      this.change(key, { ...entry });
      if (entry.parkedAt === null) parked.push(entry.ref.controller);
    }
    for (const key of this.#state.parked.upTo(this.#now, this.#state.parked.size, () => false)) {
      deleted.push(this.entry(key)!.ref.controller);
      this.change(key, null);
    }
    this.#noteEach("parked", parked);
    this.#noteEach("deleted", deleted);
  }

  /** S17: by command. A run that may still go on keeps its entry. */
  deleteParked(controller: string): void {
    const deleted: string[] = [];
    for (const key of new Set([...this.#state.entries.keys(), ...this.changes.keys()])) {
      const entry = this.entry(key);
      if (!entry || entry.parkedAt === null || entry.lease || entry.ref.controller !== controller) continue;
      deleted.push(controller);
      this.change(key, null);
    }
    this.#noteEach("deleted", deleted);
  }

  #noteEach(type: "parked" | "deleted", controllers: readonly string[]): void {
    const counts = new Map<string, number>();
    for (const controller of controllers) counts.set(controller, (counts.get(controller) ?? 0) + 1);
    for (const [controller, entries] of counts) this.notes.push({ type, controller, entries });
  }
}
