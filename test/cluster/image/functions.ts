import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { createMemoryKeyValue } from "../../../adapters/kv/memory.ts";
import { systemClock } from "../../../adapters/runtime/system-clock.ts";
import type { Manifest, Trigger } from "../../../functions/contract/index.ts";
import { createIngress } from "../../../functions/http/ingress.ts";
import { recordingLogger } from "../../support/recording-logger.ts";
import { SECRET } from "../loop/deployment.ts";

/** The functions as a relay sees them: the real ingress, and a scheduler that only takes note. */
export type RecordedFunctions = {
  url: string;
  /** Told of each batch as it is accepted. */
  onAccepted: (triggers: readonly Trigger[]) => void;
  /** Keys triggered so far. */
  readonly accepted: number;
  readonly requests: number;
  /** Loses all checkpoints. */
  forget(): void;
  close(): Promise<void>;
};

export async function serveFunctions(manifest: Manifest): Promise<RecordedFunctions> {
  let kv = createMemoryKeyValue(systemClock);
  const app = createIngress({
    manifest,
    clusters: [{ name: "home", secrets: [SECRET] }],
    scheduler: {
      flags: { durable: true, timer: "platform" },
      async accept(_, triggers) {
        recorded.accepted += triggers.length;
        recorded.onAccepted(triggers);
        return { nextWakeInMs: null, epoch: "e1" };
      },
      wake: async () => ({ nextWakeInMs: null, epoch: "e1" }),
    },
    kv: {
      flags: { durable: false, stalenessMs: 0 },
      get: (key) => kv.get(key),
      set: (key, value, options) => kv.set(key, value, options),
      delete: (key) => kv.delete(key),
    },
    clock: systemClock,
    logger: recordingLogger(),
  });
  const server = createAdaptorServer({
    fetch(request: Request) {
      recorded.requests++;
      return app.fetch(request);
    },
  }) as Server;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const recorded = {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    onAccepted(_: readonly Trigger[]) {},
    accepted: 0,
    requests: 0,
    forget() {
      kv = createMemoryKeyValue(systemClock);
    },
    close() {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return recorded;
}
