/** npm passes on a signal that the whole process group has had already. */
const SAME_SIGNAL_MS = 250;

/** Resolves at the first SIGTERM or SIGINT. A second one ends the process at once. */
export function ended(): Promise<void> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const onSignal = () => {
      if (first !== undefined && performance.now() - first > SAME_SIGNAL_MS) process.exit(0);
      first ??= performance.now();
      resolve();
    };
    process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  });
}
