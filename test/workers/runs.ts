import type { RequeueAfter } from "sluice";

type Answer = RequeueAfter | undefined;
export type Run = { name: string; attempt: number; answer: (answer?: Answer) => void; fail: (error: Error) => void };

/** How often a run looks for its answer: a promise may not be resolved by the code of another object. */
const LOOK_MS = 2;

/** The runs of the Worker under test, which is in the same isolate as the tests. */
class Runs {
  readonly all: Run[] = [];
  /** Answers runs at once; without it they wait for the test. */
  atOnce: ((name: string) => Answer) | undefined;

  async begin(name: string, attempt: number): Promise<Answer> {
    let settled: { answer: Answer } | { error: Error } | undefined;
    this.all.push({
      ...{ name, attempt },
      answer: (answer) => {
        settled = { answer };
      },
      fail: (error) => {
        settled = { error };
      },
    });
    if (this.atOnce) return this.atOnce(name);
    while (!settled) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    if ("error" in settled) throw settled.error;
    return settled.answer;
  }

  reset(): void {
    for (const { answer } of this.all.splice(0)) answer();
    this.atOnce = undefined;
  }
}

export const runs: Runs = new Runs();

/** What the Worker's own dependencies throw, where they do. */
export const broken: { context?: string | undefined } = {};
