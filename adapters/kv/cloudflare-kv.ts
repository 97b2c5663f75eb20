import type { Clock, KeyValue } from "../../functions/ports/index.ts";
import type { KvNamespace } from "../cloudflare-platform.ts";

/** A write is seen elsewhere after at most this, since reads are cached (Workers KV, "How KV works"). */
const STALENESS_MS = 60_000;
/** The platform takes no shorter expiry. */
const SHORTEST_EXPIRY_SECONDS = 60;

/**
 * A key-value store in a Workers KV namespace. A value ends at its time by our clock, and is removed by the platform some
 * time after. A read or a write is billed as one; a key takes one write a second.
 */
export function createCloudflareKeyValue(namespace: KvNamespace, clock: Pick<Clock, "now">): KeyValue {
  return {
    flags: { durable: true, stalenessMs: STALENESS_MS },
    async get(key) {
      const { value, metadata } = await namespace.getWithMetadata(key);
      return value !== null && expiresAt(metadata) > clock.now() ? value : undefined;
    },
    async set(key, value, { expireInMs }) {
      const expirationTtl = Math.max(SHORTEST_EXPIRY_SECONDS, Math.ceil(expireInMs / 1000));
      await namespace.put(key, value, { expirationTtl, metadata: { expiresAt: clock.now() + expireInMs } });
    },
    async delete(key) {
      await namespace.delete(key);
    },
  };
}

/** What somebody else wrote does not expire by our clock. */
function expiresAt(metadata: unknown): number {
  const { expiresAt } = (metadata ?? {}) as { expiresAt?: unknown };
  return typeof expiresAt === "number" ? expiresAt : Number.POSITIVE_INFINITY;
}
