/** One signal may come twice: to the whole process group, and passed on by npm. */
const SAME_SIGNAL_MS = 250;
/** What still holds the process when all has been let go of: a run that never ends, a timer of the user's. */
const LINGER_MS = 1_000;

/**
 * Calls `stop` at the first SIGTERM or SIGINT and resolves when it is done; then the process ends within a second, with code
 * 0 unless another was set, even if something holds it. A second signal, more than 250 ms later, ends it at once.
 */
export async function stoppedBySignal(stop: () => Promise<void>): Promise<void> {
  let first: number | undefined;
  await new Promise<void>((resolve) => {
    const onSignal = () => {
      if (first !== undefined && performance.now() - first > SAME_SIGNAL_MS) process.exit();
      first ??= performance.now();
      resolve();
    };
    process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  });
  await stop();
  setTimeout(() => process.exit(), LINGER_MS).unref();
}
