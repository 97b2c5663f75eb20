/** A condition that holds soon or never: a claim that waits for longer is false. */
export const LIMIT_MS = 10_000;
const PAUSE_MS = 15;

/** What was waited for did not come in time. */
export class NotInTimeError extends Error {
  override name = "NotInTimeError";
}

/**
 * Asks until `condition` answers something true, and returns that.
 * @throws NotInTimeError after `limitMs` milliseconds; the signal's reason once it is aborted; what the condition throws.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  { limitMs = LIMIT_MS, signal }: { limitMs?: number; signal?: AbortSignal } = {},
): Promise<Exclude<T, undefined | null | false>> {
  const end = performance.now() + limitMs;
  for (;;) {
    signal?.throwIfAborted();
    const value = await condition();
    if (value) return value as Exclude<T, undefined | null | false>;
    if (performance.now() >= end) throw new NotInTimeError(`${what}: not within ${limitMs / 1_000} s`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
