/** One signal may come twice: to the whole process group, and passed on by npm. */
const SAME_SIGNAL_MS = 1_000;
/** What still holds the process when all has been let go of: a run that never ends, a timer of the user's. */
const LINGER_MS = 1_000;

/**
 * From now on SIGTERM and SIGINT do not end the process; a second one, more than a second after the first, ends it at once.
 * Where that is not done before anything else, a signal that comes early ends the process with code 143.
 * @param stopped from then on they end it again, unless one came before.
 * @returns what resolves at the first.
 */
export function firstSignal(stopped?: Promise<unknown>): Promise<void> {
  let first: number | undefined;
  return new Promise((resolve) => {
    const onSignal = () => {
      if (first !== undefined && performance.now() - first > SAME_SIGNAL_MS) process.exit();
      first ??= performance.now();
      resolve();
    };
    process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
    void stopped?.finally(() => {
      if (first === undefined) process.off("SIGTERM", onSignal).off("SIGINT", onSignal);
    });
  });
}

/**
 * Calls `stop` at the first SIGTERM or SIGINT and resolves when it is done; then the process ends within a second, with code
 * 0 unless another was set, even if something holds it.
 */
export async function stoppedBySignal(stop: () => Promise<void>, signal = firstSignal()): Promise<void> {
  await signal;
  await stop();
  setTimeout(() => process.exit(), LINGER_MS).unref();
}
