/**
 * Dollars for a million of what Cloudflare counts, above the included amounts: its public price list as of 2026-08. Prices
 * change: look them up before they are quoted.
 */
export const PRICES_AS_OF = "2026-08";
const PER_MILLION = {
  /** Requests to a Worker. A loopback call is none. */
  workerRequests: 0.3,
  /** Requests to a Durable Object: calls and alarms. */
  objectRequests: 0.15,
  /** Rows written, each setting of an alarm among them. */
  rowsWritten: 1,
  /** Workers KV: a failure writes its record, one after another reads it too. */
  kvReads: 0.5,
  kvWrites: 5,
  /** Milliseconds of CPU. */
  cpuMs: 0.02,
  /** GB-seconds of a Durable Object in memory, at 128 MB. */
  gigabyteSeconds: 12.5,
};

/** What one reconcile takes, as fractions where a wave shares it. */
export type Counts = Record<keyof typeof PER_MILLION, number>;

export type Bill = Counts & { total: number };

/** Dollars for a million reconciles, by what they are for. */
export function billOf(counts: Counts): Bill {
  const parts = Object.entries(PER_MILLION).map(([name, price]): [string, number] => [
    name,
    price * counts[name as keyof Counts],
  ]);
  const total = parts.reduce((sum, [, dollars]) => sum + dollars, 0);
  return { ...(Object.fromEntries(parts) as Counts), total };
}
