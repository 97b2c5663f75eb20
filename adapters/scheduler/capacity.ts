/**
 * S12: a process has a cap over all lines. A line that runs something leaves a place for each one that runs nothing, at most
 * half of them, so that a cluster which hangs takes no place that another needs (S20).
 * @module
 */
export type Capacity = {
  /** Most runs at once. */
  readonly most: number;
  readonly running: number;
  /** Declared lines that run nothing. */
  readonly idle: number;
};

/** Whether a line that runs `own` may start another run. */
export function letsStartOne({ most, running, idle }: Capacity, own: number): boolean {
  return most - running > (own === 0 ? 0 : Math.min(idle, Math.floor(most / 2)));
}
