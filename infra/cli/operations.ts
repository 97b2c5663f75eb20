import type { Listener } from "../../adapters/runtime/node/listen.ts";
import { systemClock } from "../../adapters/runtime/system-clock.ts";
import { withoutSecrets } from "../../functions/controller/error-text.ts";
import type { Logger } from "../../functions/ports/index.ts";
import { gaugesOf, processFamilies } from "../relay/metrics/gauges.ts";
import type { createMetrics } from "../relay/metrics/metrics.ts";
import { createOperations } from "../relay/operations.ts";
import type { Relay } from "../relay/relay.ts";
import type { Platform } from "./platform.ts";
import { processUsage, runtimeName } from "./process-usage.ts";

/** Metrics and health of a relay in this process. `hidden`: what must be seen nowhere. */
export function operationsOf(of: {
  running: Pick<Relay, "status">;
  metrics: ReturnType<typeof createMetrics>;
  version: string;
  hidden: readonly string[];
}): (request: Request) => Response {
  const build = { version: of.version, runtime: runtimeName() };
  return createOperations({
    status: of.running.status,
    families: () => [
      ...gaugesOf(of.running.status(), systemClock.now()),
      ...of.metrics.families(),
      ...processFamilies(processUsage(), build),
    ],
    redact: (text) => withoutSecrets(text, of.hidden),
  });
}

/** Two relays on one machine would both want the port that nobody asked for: the second one does without. */
export async function listenUnlessTaken(
  fetch: (request: Request) => Response,
  {
    asked,
    listenOn,
    logger,
    ...at
  }: { port: number; host: string; asked: boolean; listenOn: Platform["listenOn"]; logger: Logger },
): Promise<Listener | undefined> {
  try {
    return await listenOn(fetch, at);
  } catch (error) {
    if (asked || (error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    logger.warn("no metrics and no health: the port is taken", { port: at.port });
    return undefined;
  }
}
