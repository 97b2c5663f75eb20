const pauseMs = 20;

/**
 * Asks until `condition` answers something true, and returns that. A condition that throws is asked again.
 *
 * @param what is being waited for, as the error names it.
 * @throws after `limitMs`, with the last error of the condition as its cause.
 */
export async function eventually<T>(
  what: string,
  limitMs: number,
  condition: () => T | Promise<T>,
): Promise<Exclude<T, undefined | null | false>> {
  const end = performance.now() + limitMs;
  let cause: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (value) return value as Exclude<T, undefined | null | false>;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (performance.now() >= end) throw new Error(`${what}: not within ${limitMs} ms`, { cause });
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Watches for `limitMs` that `condition` stays true. For what must not happen, where nothing marks its absence. */
export async function consistently(
  what: string,
  limitMs: number,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    if (!(await condition())) throw new Error(`${what}: no longer so`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
