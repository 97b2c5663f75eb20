import type { Clock } from "../ports/index.ts";

/** The run's deadline has passed before the user's code returned (F6). */
class TimeoutError extends Error {
  override name = "TimeoutError";
}

/**
 * Runs work under a signal that ends with the deadline, or with the work. So code that ignores its signal is answered for,
 * and what it does later, or forgot to await, sends nothing any more (S5).
 */
export async function withinDeadline<R>(
  clock: Clock,
  deadlineMs: number,
  work: (signal: AbortSignal) => Promise<R>,
): Promise<R> {
  const over = new AbortController();
  let cancel = (): void => {};
  const deadline = new Promise<never>((_, reject) => {
    cancel = clock.setTimer(deadlineMs, () => {
      const error = new TimeoutError(`the run took longer than its deadline of ${deadlineMs} ms`);
      reject(error);
      over.abort(error);
    });
  });
  try {
    return await Promise.race([work(over.signal), deadline]);
  } finally {
    cancel();
    over.abort(new Error("the run is over: what is sent now was not awaited"));
  }
}
