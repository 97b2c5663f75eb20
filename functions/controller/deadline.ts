import type { Clock } from "../ports/index.ts";

/** The run's deadline has passed before the user's code returned (F6). */
class TimeoutError extends Error {
  override name = "TimeoutError";
}

/**
 * Runs work under a signal that ends with the deadline, with its process's orderly stop, or with the work. So code that ignores its signal is answered for,
 * and what it does later, or forgot to await, sends nothing any more (S5).
 */
export async function withinDeadline<R>(
  clock: Clock,
  deadlineMs: number,
  work: (signal: AbortSignal) => Promise<R>,
  stopped?: AbortSignal,
): Promise<R> {
  const over = new AbortController();
  const { promise: cut, reject } = Promise.withResolvers<never>();
  const end = (error: unknown) => {
    reject(error);
    over.abort(error);
  };
  const cancel = clock.setTimer(deadlineMs, () =>
    end(new TimeoutError(`the run took longer than its deadline of ${deadlineMs} ms`)),
  );
  const onStop = () => end(stopped?.reason);
  stopped?.addEventListener("abort", onStop, { once: true });
  try {
    return await Promise.race([work(over.signal), cut]);
  } finally {
    cancel();
    stopped?.removeEventListener("abort", onStop);
    over.abort(new Error("the run is over: what is sent now was not awaited"));
  }
}
