/** Somebody pressed Ctrl-C, ended the terminal or the process, or reads no further. */
export class InterruptedError extends Error {
  override name = "InterruptedError";
  /** As a shell answers for a process that such a signal ended. */
  readonly exitCode: number;
  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

const BY_SIGINT = 130;
const BY_SIGPIPE = 141;

/**
 * Aborts at the first SIGINT, SIGTERM or SIGHUP, when nobody reads the output any more, as `head` that has seen enough, and
 * at an error that nobody caught: a lab that just ended would leave its namespace behind. Later signals change nothing: npm passes on what the
 * terminal has sent already, and to clean up takes seconds.
 */
export function interruption(): AbortSignal {
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      if (!interrupted.signal.aborted) console.error(`${signal}: removing what the lab made`);
      interrupted.abort(new InterruptedError(signal, BY_SIGINT));
    });
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", ({ message }) => interrupted.abort(new InterruptedError(message, BY_SIGPIPE)));
  process.on("uncaughtException", (error) => interrupted.abort(error));
  return interrupted.signal;
}
