/** The places where a process can be killed with most harm. Tests do so exactly there; nothing else uses them. */
export type Step =
  | "committed, not yet answered"
  | "first write done"
  | "run done, answer not stored"
  | "outbox filled, not delivered";

/** Reports a step and holds the process there. Absent outside tests: callers write `await steps?.reach(…)`. */
export interface Steps {
  reach(step: Step): Promise<void>;
}
