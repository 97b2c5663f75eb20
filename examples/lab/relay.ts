import { createJsonLogger } from "../../adapters/runtime/json-logger.ts";
import { systemClock } from "../../adapters/runtime/system-clock.ts";
import { startRelay } from "../../infra/relay/relay.ts";
import type { Cluster } from "./cluster.ts";
import type { Door } from "./door.ts";
import { CLUSTER } from "./functions.ts";
import { ForbiddenError } from "./kubectl.ts";
import { until } from "./until.ts";

/** A relay in the lab's own process, apart from the functions: when they are killed, it lives. */
export interface LabRelay {
  /** Starts it, and waits for its first lists. @throws ForbiddenError at once where it may not read what it has to. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The watch that the API server forbids, and its words; undefined for none. */
  forbidden(): string | undefined;
}

export function createRelay(options: { cluster: Cluster; door: Door; secret: string; signal: AbortSignal }): LabRelay {
  const { cluster, door, secret, signal } = options;
  let running: ReturnType<typeof startRelay> | undefined;
  const forbidden = () => running?.status().reasons.find((reason) => /^watch of .*: 403 /.test(reason));
  return {
    async start() {
      running = startRelay({
        ...{ cluster: CLUSTER, transport: cluster.transport, ingress: door, secrets: [secret] },
        ...{ clock: systemClock, random: Math.random, logger: createJsonLogger({ level: "error", write: () => {} }) },
      });
      let synced = false;
      void running.synced.then(() => {
        synced = true;
      });
      const isReady = () => {
        const why = forbidden();
        if (why !== undefined) throw new ForbiddenError(why);
        return synced;
      };
      await until("the relay's first lists", isReady, { signal });
    },
    async stop() {
      await running?.stop();
    },
    forbidden,
  };
}
