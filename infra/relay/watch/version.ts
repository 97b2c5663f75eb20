/**
 * Resource versions as the numbers that they are: comparable within a resource since Kubernetes 1.35 (KEP-5504), and larger
 * than a double can hold.
 * @module
 */

/**
 * Whether a resource version is older than another. False where either is no number (an aggregated API server may use
 * texts): then nothing can be said of their order.
 * @example isOlder("99", "100") // true
 */
export function isOlder(version: string, than: string): boolean {
  if (!isNumber(version) || !isNumber(than)) return false;
  if (version.length !== than.length) return version.length < than.length;
  return version < than;
}

/** The later of two, and the second where they cannot be compared. */
export function newerOf(before: string, now: string): string {
  return isOlder(now, before) ? before : now;
}

/** Digits without a leading zero, so that length and text decide as the number would. */
function isNumber(version: string): boolean {
  return /^(0|[1-9]\d*)$/.test(version);
}
