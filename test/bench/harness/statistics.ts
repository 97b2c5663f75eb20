export function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}

/** The smallest of `sorted` that at least this share of them does not exceed; NaN of nothing. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export type Spread = { count: number; p50: number; p90: number; p99: number; max: number };

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => round(quantile(sorted, share));
  return { count: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) };
}
