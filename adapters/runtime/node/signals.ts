/** One signal may come twice: to the whole process group, and passed on by npm. */
const SAME_SIGNAL_MS = 250;

/** Resolves at the first SIGTERM or SIGINT. A second one, more than 250 ms later, ends the process at once with code 0. */
export function firstSignal(): Promise<void> {
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
