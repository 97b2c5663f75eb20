import type { Logger } from "../../../functions/ports/index.ts";
import type { ServeOptions } from "./options.ts";
import { firstSignal, stoppedBySignal } from "./signals.ts";
import { type Running, start } from "./start.ts";

/**
 * Runs controllers in this process: ingress, scheduler, functions, and a relay a cluster unless that runs apart. SIGTERM and
 * SIGINT end it: no new run, running ones finish within 25 s, exit code 0; a second signal ends it at once.
 * @throws TypeError for an option that is wrong, naming the field; Error when credentials or the state folder cannot be used.
 * @example
 * const running = await serve({ controllers: [documents], clusters: () => [{ name: "home" }], stateDir: "state" });
 * await running.synced;
 */
export async function serve<Env = NodeJS.ProcessEnv, Context extends object = object>(
  options: ServeOptions<Env, Context>,
): Promise<Running & { ended: Promise<void> }> {
  const running = await start(options);
  logRejections(running.logger);
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const stop = async (): Promise<void> => {
    await running.stop();
    resolve();
  };
  return { ...running, stop, ended: Promise.race([stopped, stoppedBySignal(stop, firstSignal(stopped))]) };
}

/** Of the newest `serve` of the process. */
let logger: Logger | undefined;

/** A promise that a run forgot to await is refused when the run is over, or later: that must not end the other runs. */
function logRejections(newest: Logger): void {
  if (!logger)
    process.on("unhandledRejection", (error) =>
      logger?.error("a promise was rejected that nobody awaited", { error: String(error) }),
    );
  logger = newest;
}
