import { setEnvironmentData } from "node:worker_threads";

/** The name under which a test tells {@link SteppedThread}'s file what to do. */
export const STEPS = "sluice-test-steps";

/** Places in the shared memory. */
export const COMMITS = 0;
export const HELD = 1;
export const RELEASED = 2;

export type Steps = {
  memory: SharedArrayBuffer;
  /** Whether each commit waits until the test lets it go on. */
  holdCommits?: boolean;
  /** The statement after which the process is killed, counted from the opening on. */
  killAfter?: number;
  /** The statement, by its text, whose transaction the thread never answers, since it breaks. */
  dieAt?: string;
};

/** A thread's file, to be opened next, whose statements a test counts and holds. */
export class SteppedThread {
  readonly url = new URL("./stepped-thread.ts", import.meta.url);
  readonly #counts: Int32Array;

  constructor(steps: Omit<Steps, "memory"> = {}) {
    const memory = new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT);
    this.#counts = new Int32Array(memory);
    setEnvironmentData(STEPS, { ...steps, memory } as never);
  }

  /** Transactions that came to their commit. */
  get commits(): number {
    return Atomics.load(this.#counts, COMMITS);
  }

  /** Resolves when the nth commit waits. */
  async held(nth: number): Promise<void> {
    for (;;) {
      const held = Atomics.load(this.#counts, HELD);
      if (held >= nth) return;
      await Atomics.waitAsync(this.#counts, HELD, held).value;
    }
  }

  /** Lets the commit that waits go on. */
  release(): void {
    Atomics.add(this.#counts, RELEASED, 1);
    Atomics.notify(this.#counts, RELEASED);
  }
}
