import type { Family, Labels, Sample } from "./exposition.ts";
import { type MetricRow, type Metrics, relayMetrics } from "./metric-table.ts";

/** Upper bounds, in seconds: from an answer within a room to one that somebody gives up on. */
export const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Label values a metric, at most. What comes after them shares one, so that no redeploy fills the memory. */
export const MAX_SERIES = 1_000;
const OTHER = "other";

type Series = { labels: Labels; count: number; sum: number; buckets: number[] };

/** Keeps what is counted and measured, for `families` to tell. */
export function createMetrics(): Metrics & { families(): Family[] } {
  const tables = new Map<string, Map<string, Series>>(Object.keys(relayMetrics).map((metric) => [metric, new Map()]));

  function seriesOf(metric: keyof typeof relayMetrics, given: Labels): Series {
    const all = tables.get(metric)!;
    const { labels: names, type }: MetricRow = relayMetrics[metric];
    const found = all.get(keyOf(names, given));
    if (found) return found;
    const full = all.size >= MAX_SERIES;
    const labels = Object.fromEntries(names.map((name) => [name, full ? OTHER : given[name]!]));
    const key = keyOf(names, labels);
    const buckets = type === "histogram" ? BUCKETS.map(() => 0) : [];
    const series = all.get(key) ?? { labels, count: 0, sum: 0, buckets };
    all.set(key, series);
    return series;
  }

  return {
    count(metric, labels, times = 1) {
      seriesOf(metric, labels).count += times;
    },
    took(metric, labels, ms) {
      const series = seriesOf(metric, labels);
      const seconds = ms / 1_000;
      series.count++;
      series.sum += seconds;
      const bucket = BUCKETS.findIndex((bound) => seconds <= bound);
      if (bucket >= 0) series.buckets[bucket]!++;
    },
    families: () =>
      Object.entries<MetricRow>(relayMetrics).map(([metric, { name, type, help }]) => {
        const series = [...tables.get(metric)!.values()];
        const samples = type === "histogram" ? series.flatMap(histogram) : series.map(counter);
        return { name, type, help, samples };
      }),
  };
}

function keyOf(names: readonly string[], labels: Labels): string {
  return names.map((name) => labels[name]).join("\0");
}

function counter({ labels, count }: Series): Sample {
  return { labels, value: count };
}

/** Buckets are cumulative: each holds what the smaller ones do. */
function histogram({ labels, count, sum, buckets }: Series): Sample[] {
  let below = 0;
  const bucket = (le: string, value: number): Sample => ({ suffix: "_bucket", labels: { ...labels, le }, value });
  const bounded = BUCKETS.map((bound, i) => {
    below += buckets[i]!;
    return bucket(String(bound), below);
  });
  return [
    ...bounded,
    bucket("+Inf", count),
    { suffix: "_sum", labels, value: sum },
    { suffix: "_count", labels, value: count },
  ];
}
