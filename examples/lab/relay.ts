import { createJsonLogger } from "../../adapters/runtime/json-logger.ts";
import { systemClock } from "../../adapters/runtime/system-clock.ts";
import { startRelay } from "../../infra/relay/relay.ts";
import type { Cluster } from "./cluster.ts";
import type { Door } from "./door.ts";
import { CLUSTER } from "./functions.ts";
import { until } from "./until.ts";

/** A relay in the lab's own process, apart from the functions: when they are killed, it lives. */
export interface LabRelay {
  /** Starts it, and waits for its first lists. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createRelay(options: { cluster: Cluster; door: Door; secret: string; signal: AbortSignal }): LabRelay {
  const { cluster, door, secret, signal } = options;
  let running: ReturnType<typeof startRelay> | undefined;
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
      await until("the relay's first lists", () => synced, { signal });
    },
    async stop() {
      await running?.stop();
    },
  };
}
