/**
 * Dollars for a million of what Cloudflare counts, above the included amounts of the Workers Paid plan. Read on this day in
 * copies of the pages, which may be older. Prices change: look them up before they are quoted.
 */
export const PRICES_READ_ON = "2026-11-29";

/** Cloudflare's own price lists, under https://developers.cloudflare.com/. */
const WORKERS = "workers/platform/pricing";
const OBJECTS = "durable-objects/platform/pricing";
const KV = "kv/platform/pricing";
export const PRICE_LISTS: readonly string[] = [WORKERS, OBJECTS, KV];

const PER_MILLION = {
  /** Requests to a Worker. A loopback call is none. */
  workerRequests: { dollars: 0.3, list: WORKERS },
  /** Requests to a Durable Object: calls and alarms. */
  objectRequests: { dollars: 0.15, list: OBJECTS },
  /** Rows written; a deletion and each setting of an alarm is one, too. */
  rowsWritten: { dollars: 1, list: OBJECTS },
  /** Workers KV: a failure writes its record, one after another reads it too. */
  kvReads: { dollars: 0.5, list: KV },
  kvWrites: { dollars: 5, list: KV },
  /** Milliseconds of CPU. */
  cpuMs: { dollars: 0.02, list: WORKERS },
  /** GB-seconds of a Durable Object in memory, at 128 MB. */
  gigabyteSeconds: { dollars: 12.5, list: OBJECTS },
} as const;

/** What one reconcile takes, as fractions where a wave shares it. */
export type Counts = Record<keyof typeof PER_MILLION, number>;

export type Bill = Counts & { total: number };

/** Dollars for a million reconciles, by what they are for. */
export function billOf(counts: Counts): Bill {
  const parts = Object.entries(PER_MILLION).map(([name, { dollars }]): [string, number] => [
    name,
    dollars * counts[name as keyof Counts],
  ]);
  const total = parts.reduce((sum, [, dollars]) => sum + dollars, 0);
  return { ...(Object.fromEntries(parts) as Counts), total };
}
