/** Somebody pressed Ctrl-C, or ended the terminal or the process. */
export class InterruptedError extends Error {
  override name = "InterruptedError";
}

/**
 * Aborts at the first SIGINT, SIGTERM or SIGHUP, and at an error that nobody caught, as that nobody reads the output any
 * more: a lab that just ended would leave its namespace behind. Later signals change nothing: npm passes on what the
 * terminal has sent already, and to clean up takes seconds.
 */
export function interruption(): AbortSignal {
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      if (!interrupted.signal.aborted) console.error(`${signal}: removing what the lab made`);
      interrupted.abort(new InterruptedError(signal));
    });
  process.on("uncaughtException", (error) => interrupted.abort(error));
  return interrupted.signal;
}
