import {
  API_VERSION,
  keyOf,
  type ObjectRef,
  type ReconcileAnswer,
  type ReconcileRequest,
} from "../../../functions/contract/index.ts";
import type { Invoker } from "../../../functions/ports/index.ts";

/** What a run does: it takes so long, without any CPU, and answers this. */
export type Behaviour = { takesMs: number; answer: ReconcileAnswer };

export const awaitsChange: ReconcileAnswer = {
  apiVersion: API_VERSION,
  outcome: "success",
  action: { awaitChange: true },
};
export const fails: ReconcileAnswer = { apiVersion: API_VERSION, outcome: "error", error: "it took too long" };

export function requeues(requeueAfterMs: number): ReconcileAnswer {
  return { apiVersion: API_VERSION, outcome: "success", action: { requeueAfterMs } };
}

/** The functions of a bench: they count their runs, and note when those of certain keys start. */
export class Runs implements Invoker {
  started = 0;
  ended = 0;
  readonly #behaviourOf: (ref: ObjectRef) => Behaviour;
  readonly #waiting = new Map<string, (at: number) => void>();

  constructor(behaviourOf: (ref: ObjectRef) => Behaviour) {
    this.#behaviourOf = behaviourOf;
  }

  async invoke({ key }: ReconcileRequest): Promise<ReconcileAnswer> {
    this.started++;
    const text = keyOf(key);
    this.#waiting.get(text)?.(performance.now());
    this.#waiting.delete(text);
    const { takesMs, answer } = this.#behaviourOf(key);
    if (takesMs > 0) await new Promise((resolve) => setTimeout(resolve, takesMs));
    this.ended++;
    return answer;
  }

  /** Resolves with `performance.now()` of the key's next start. */
  startOf(ref: ObjectRef): Promise<number> {
    return new Promise((resolve) => this.#waiting.set(keyOf(ref), resolve));
  }
}
