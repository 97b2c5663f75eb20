/** Time as a port, so that tests own it. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. It may step in both directions. */
  now(): number;
  /** Milliseconds of a clock that never steps. Only differences mean anything. */
  monotonic(): number;
  /**
   * Calls `callback` once, `delayMs` from now, however long that is (a plain timer of more than 24.8 days fires at once
   * on Node). Returns what cancels it.
   */
  setTimer(delayMs: number, callback: () => void): () => void;
}
