import type { ServeOptions } from "./options.ts";
import { stoppedBySignal } from "./signals.ts";
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
  // A promise that a run forgot to await is refused when the run is over; that must not end the other runs.
  process.on("unhandledRejection", (error) =>
    running.logger.error("a promise was rejected that nobody awaited", { error: String(error) }),
  );
  return { ...running, ended: stoppedBySignal(running.stop) };
}
