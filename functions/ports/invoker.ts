import type { ReconcileAnswer, ReconcileRequest } from "../contract/index.ts";

/** How the scheduler reaches the functions: in process, by a platform's loopback, or over signed HTTP. */
export interface Invoker {
  /**
   * Runs one key once. A rejection, or an answer that does not parse, is a run that the scheduler could not complete
   * (S6), and counts as a failure of the key.
   */
  invoke(request: ReconcileRequest): Promise<ReconcileAnswer>;
}
